import { createPublicKey, verify } from 'node:crypto';
import type { FeedbackItem, FeedbackKind, ToldFeedback } from '../../domain/messages/feedback/item.ts';
import { MESSAGE_KEY } from '../../domain/messages/provider-headers.ts';
import { invalid } from '../../domain/service-error.ts';
import { parseBody } from '../../http/json-body.ts';
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
import { expectItems, itemId } from './items.ts';

const HEADER = 'X-Twilio-Email-Event-Webhook';

/** SendGrid repeats events for a day; it does not say whether it signs them anew. Each counts once all the same. */
const MAX_AGE_MS = 25 * 60 * 60 * 1000;

const KINDS: Readonly<Record<string, FeedbackKind>> = {
  delivered: 'delivered',
  deferred: 'deferred',
  bounce: 'bounced',
  dropped: 'bounced',
  spamreport: 'complained',
  unsubscribe: 'unsubscribed',
  group_unsubscribe: 'unsubscribed',
};
/** Why SendGrid has not tried: what it knew of the address before. */
const DROPPED: Readonly<Record<string, FeedbackKind>> = {
  'Spam Reporting Address': 'complained',
  'Unsubscribed Address': 'unsubscribed',
};

/** Events of SendGrid, signed by ECDSA over the time and the body. */
export function readSendgrid(request: HookRequest, { key }: Settings): ToldFeedback {
  const { body, header, now } = request;
  expectSignature(body, header(`${HEADER}-Timestamp`), header(`${HEADER}-Signature`), key);
  expectRecent(header(`${HEADER}-Timestamp`), now, MAX_AGE_MS);
  const events = parseBody(body);
  if (!Array.isArray(events)) throw invalid({ path: [], problem: 'must be a list of events' });
  expectItems(events.length, []);
  return { proof: null, items: events.flatMap((event) => readEvent(fieldsOf(event), now)) };
}

function expectSignature(body: Buffer, timestamp: string, signature: string, key: string | null): void {
  if (key === null) throw unproven('The sender has no key of SendGrid yet');
  if (!/^\d{1,15}$/.test(timestamp) || signature === '') throw unproven(`The headers ${HEADER}-… are missing`);
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  if (!verifies(signed, signature, key)) throw unproven('The signature is not that of the key of the sender');
}

/** A key or a signature that is malformed verifies nothing. */
function verifies(signed: Buffer, signature: string, key: string): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return verify('sha256', signed, publicKey, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function readEvent(event: Fields, now: number): FeedbackItem[] {
  const name = textOf(event.event) ?? '';
  const reason = textOf(event.reason) ?? textOf(event.response) ?? null;
  const kind = (name === 'dropped' && DROPPED[reason ?? '']) || (Object.hasOwn(KINDS, name) ? KINDS[name] : undefined);
  // What it knows of opens and clicks, the service counts itself.
  if (!kind) return [];
  const raw = JSON.stringify(event);
  return [
    {
      id: itemId(event.sg_event_id, raw),
      kind,
      messageId: messageIdIn(event[MESSAGE_KEY]) ?? messageIdIn(event['smtp-id']),
      statusCode: kind === 'bounced' ? codeIn(event.status, reason) : null,
      isPermanent: isPermanent(event, name, reason),
      detail: reason,
      occurredAt: occurredAt(event.timestamp, now),
      raw,
    },
  ];
}

function isPermanent(event: Fields, name: string, reason: string | null): boolean | null {
  if (name === 'dropped') return reason === 'Bounced Address' || reason === 'Invalid';
  if (name !== 'bounce') return null;
  const classified = textOf(event.bounce_classification);
  return classified === undefined ? event.type === 'bounce' : classified === 'Invalid Address';
}
