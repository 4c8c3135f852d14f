import { createHmac } from 'node:crypto';
import type { FeedbackItem, FeedbackKind, ToldFeedback } from '../../domain/messages/feedback/item.ts';
import { MESSAGE_KEY } from '../../domain/messages/provider-headers.ts';
import { parseBody } from '../../http/json-body.ts';
import { isSame } from '../proof.ts';
import {
  codeIn,
  expectRecent,
  type Fields,
  fieldsOf,
  type HookRequest,
  messageIdIn,
  occurredAt,
  type Settings,
  textOf,
  unproven,
} from '../values.ts';
import { itemId } from './items.ts';

/** Mailgun repeats a hook for eight hours, with its first time and signature. */
const MAX_AGE_MS = 9 * 60 * 60 * 1000;

/** Why Mailgun has not tried: what it knew of the address before. */
const SUPPRESSED: Readonly<Record<string, FeedbackKind>> = {
  'suppress-complaint': 'complained',
  'suppress-unsubscribe': 'unsubscribed',
};

/**
 * A hook of Mailgun. Its signature is over a time and a token, not over what it tells, so that a token is good for one
 * request only.
 */
export function readMailgun({ body, now }: HookRequest, { key }: Settings): ToldFeedback {
  if (key === null) throw unproven('The sender has no key of Mailgun yet');
  const { signature, 'event-data': data } = fieldsOf(parseBody(body));
  const token = expectSignature(fieldsOf(signature), key, now);
  const event = fieldsOf(data);
  const raw = JSON.stringify(event);
  // Its ids are unique within a day.
  const id = itemId(textOf(event.id) && `${event.id} ${event.timestamp}`, raw);
  return { items: readEvent(event, id, raw, now), proof: { token, told: id } };
}

/** Returns the token. */
function expectSignature({ timestamp, token, signature }: Fields, key: string, now: number): string {
  const seconds = typeof timestamp === 'number' ? String(timestamp) : (textOf(timestamp) ?? '');
  const given = textOf(token) ?? '';
  if (!/^\d{1,15}$/.test(seconds) || given === '' || given.length > 200) throw unproven('There is no signature');
  const expected = createHmac('sha256', key).update(seconds).update(given).digest('hex');
  if (!isSame(textOf(signature) ?? '', expected)) throw unproven('The signature is not that of the key of the sender');
  expectRecent(seconds, now, MAX_AGE_MS);
  return given;
}

function readEvent(event: Fields, id: string, raw: string, now: number): FeedbackItem[] {
  const kind = kindOf(event);
  if (!kind) return [];
  const status = fieldsOf(event['delivery-status']);
  const detail = [status.message, status.description, fieldsOf(event.reject).reason].find(textOf) ?? null;
  const headers = fieldsOf(fieldsOf(event.message).headers);
  return [
    {
      id,
      kind,
      messageId: messageIdIn(fieldsOf(event['user-variables'])[MESSAGE_KEY]) ?? messageIdIn(headers['message-id']),
      statusCode: kind === 'bounced' ? codeIn(status['enhanced-code'], status.message, status.description) : null,
      isPermanent: event.reason === 'suppress-bounce' ? true : null,
      detail: textOf(detail) ?? null,
      occurredAt: occurredAt(event.timestamp, now),
      raw,
    },
  ];
}

function kindOf({ event, severity, reason }: Fields): FeedbackKind | undefined {
  switch (event) {
    case 'delivered':
    case 'complained':
    case 'unsubscribed':
      return event;
    case 'failed':
      if (severity === 'temporary') return 'deferred';
      return SUPPRESSED[textOf(reason) ?? ''] ?? 'bounced';
    case 'rejected':
      return 'bounced';
    default:
      return undefined;
  }
}
