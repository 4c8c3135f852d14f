import type { FeedbackItem, FeedbackKind, ToldFeedback } from '../../domain/messages/feedback/item.ts';
import { MESSAGE_HEADER } from '../../domain/messages/provider-headers.ts';
import { parseBody } from '../../http/json-body.ts';
import { expectStandardWebhook } from '../proof.ts';
import {
  codeIn,
  type Fields,
  fieldsOf,
  type HookRequest,
  messageIdIn,
  occurredAt,
  type Settings,
  textOf,
} from '../values.ts';
import { headerIn } from './headers.ts';
import { itemId } from './items.ts';

const KINDS: Readonly<Record<string, FeedbackKind>> = {
  'email.delivered': 'delivered',
  'email.delivery_delayed': 'deferred',
  'email.bounced': 'bounced',
  'email.suppressed': 'bounced',
  'email.complained': 'complained',
};

/** A hook of Resend, which signs by the Standard Webhooks specification. */
export function readResend(request: HookRequest, { key }: Settings): ToldFeedback {
  const id = expectStandardWebhook(request, key);
  return { items: readEvent(id, fieldsOf(parseBody(request.body)), request.now), proof: null };
}

function readEvent(id: string, event: Fields, now: number): FeedbackItem[] {
  const type = textOf(event.type) ?? '';
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (!kind) return [];
  const data = fieldsOf(event.data);
  const bounce = fieldsOf(data.bounce);
  const detail = textOf(bounce.message) ?? null;
  const codes: readonly unknown[] = Array.isArray(bounce.diagnosticCode)
    ? bounce.diagnosticCode
    : [bounce.diagnosticCode];
  return [
    {
      id: itemId(id, ''),
      kind,
      messageId: messageIdIn(headerIn(data.headers, MESSAGE_HEADER)) ?? messageIdIn(data.message_id),
      statusCode: kind === 'bounced' ? codeIn(...codes, detail) : null,
      isPermanent: textOf(bounce.type) ? bounce.type === 'Permanent' : null,
      detail,
      occurredAt: occurredAt(event.created_at, now),
      raw: JSON.stringify(event),
    },
  ];
}
