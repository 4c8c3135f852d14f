import { hash } from 'node:crypto';
import type { FeedbackItem, FeedbackKind } from '../../domain/messages/feedback/item.ts';
import { invalid } from '../../domain/service-error.ts';
import { codeIn, messageIdIn, occurredAt } from '../values.ts';
import { type Headers, type Part, readHeaders, readMime } from './mime.ts';

/** Recipients of a report that are looked at: a message of this service has one. */
const MOST_RECIPIENTS = 100;

const KINDS: Readonly<Record<string, FeedbackKind>> = {
  failed: 'bounced',
  delayed: 'deferred',
  delivered: 'delivered',
};

/**
 * Reads what a server of mail reports of a message: a delivery status notification (RFC 3464), or an abuse report (RFC 5965).
 * Throws `validation_error` for anything else.
 */
export function readReport(bytes: Buffer, now: number): FeedbackItem[] {
  const text = bytes.toString('latin1');
  const { headers, parts } = readMime(text);
  const status = parts.find(({ type }) => /^message\/(?:global-)?delivery-status$/.test(type));
  const abuse = parts.find(({ type }) => type === 'message/feedback-report');
  if (!status && !abuse) {
    throw invalid({
      path: [],
      problem: 'must be a delivery status notification (RFC 3464) or an abuse report (RFC 5965)',
    });
  }
  const returned = returnedHeaders(parts);
  const told = {
    // It is the same report, however often it is passed on.
    id: headers.get('message-id') || hash('sha256', bytes, 'hex'),
    occurredAt: occurredAt(headers.get('date'), now),
    raw: (status ?? (abuse as Part)).body,
  };
  const ofMessage = (fields: Headers) => messageIdIn(fields.get('original-envelope-id')) ?? messageIdIn(returned);
  if (abuse) {
    const fields = readHeaders(abuse.body);
    const kind = fields.get('feedback-type')?.toLowerCase() === 'not-spam' ? undefined : 'complained';
    if (!kind) return [];
    const nothing = { statusCode: null, isPermanent: null, detail: null };
    return [{ ...told, ...nothing, id: idOf(told.id, 0), kind, messageId: ofMessage(fields) }];
  }
  const [first = '', ...recipients] = (status as Part).body.trim().split(/\r?\n[ \t]*(?:\r?\n)+/);
  if (recipients.length === 0) throw invalid({ path: [], problem: 'must say of which recipient it is' });
  const messageId = ofMessage(readHeaders(first));
  return recipients.slice(0, MOST_RECIPIENTS).flatMap((block, i): FeedbackItem[] => {
    const fields = readHeaders(block);
    const kind = KINDS[fields.get('action')?.toLowerCase() ?? ''];
    if (!kind) return [];
    const detail = fields.get('diagnostic-code')?.replace(/^[\w-]+\s*;\s*/, '') ?? null;
    const statusCode = codeIn(fields.get('status'), detail);
    return [{ ...told, id: idOf(told.id, i), kind, messageId, statusCode, isPermanent: null, detail }];
  });
}

function idOf(report: string, recipient: number): string {
  return `${hash('sha256', report, 'hex')}/${recipient}`;
}

/** Those of the message that came back, which may be there whole, or no more than its headers. */
function returnedHeaders(parts: readonly Part[]): string | undefined {
  const returned = parts.find(({ type }) =>
    [
      'message/rfc822',
      'text/rfc822-headers',
      'message/rfc822-headers',
      'message/global',
      'message/global-headers',
    ].includes(type),
  );
  if (!returned) return undefined;
  const [head = ''] = returned.body.slice(0, 64 * 1024).split(/\r?\n\r?\n/, 1);
  return readHeaders(head).get('message-id');
}
