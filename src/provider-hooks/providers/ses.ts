import type { FeedbackItem, FeedbackKind, ToldFeedback } from '../../domain/messages/feedback/item.ts';
import { MESSAGE_KEY } from '../../domain/messages/provider-headers.ts';
import { parseBody } from '../../http/json-body.ts';
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
import type { SnsSignatures } from './sns.ts';

/** What it tells, and under which name it has more of that. */
const KINDS: Readonly<Record<string, readonly [kind: FeedbackKind, name: string]>> = {
  Delivery: ['delivered', 'delivery'],
  DeliveryDelay: ['deferred', 'deliveryDelay'],
  Bounce: ['bounced', 'bounce'],
  Reject: ['bounced', 'reject'],
  Complaint: ['complained', 'complaint'],
};

/** What Amazon SES tells by way of SNS, which is told first that this hook is wanted. */
export async function readSes(
  { storeId, body, now }: HookRequest,
  { key }: Settings,
  sns: SnsSignatures,
): Promise<ToldFeedback> {
  const message = fieldsOf(parseBody(body));
  await sns.expect(storeId, message, key, now);
  if (message.Type === 'SubscriptionConfirmation') await sns.confirm(storeId, message, key as string, now);
  const items = message.Type === 'Notification' ? readNotification(message, now) : [];
  return { items, proof: null };
}

/** What SNS says to a new topic is no JSON. */
function readNotification({ Message, MessageId }: Fields, now: number): FeedbackItem[] {
  const raw = textOf(Message) ?? '';
  if (!raw.startsWith('{')) return [];
  const event = fieldsOf(parseBody(Buffer.from(raw)));
  const [kind, name = ''] = KINDS[textOf(event.eventType) ?? textOf(event.notificationType) ?? ''] ?? [];
  if (!kind) return [];
  const told = fieldsOf(event[name]);
  // Messages of this service have one recipient each.
  const [recipient] = [told.bouncedRecipients, told.delayedRecipients].flatMap((list) =>
    Array.isArray(list) ? list.slice(0, 1).map(fieldsOf) : [],
  );
  const detail = textOf(recipient?.diagnosticCode)?.replace(/^smtp; */i, '') ?? textOf(told.smtpResponse) ?? null;
  return [
    {
      id: itemId(told.feedbackId ?? MessageId, raw),
      kind,
      messageId: messageOf(fieldsOf(event.mail)),
      statusCode: kind === 'bounced' ? codeIn(recipient?.status, detail) : null,
      isPermanent: textOf(told.bounceType) ? told.bounceType === 'Permanent' : null,
      detail,
      occurredAt: occurredAt(told.timestamp, now),
      raw,
    },
  ];
}

/** By its tags, or else by the headers that it had; Amazon replaces its `Message-ID`. */
function messageOf({ tags, headers, commonHeaders }: Fields): string | null {
  const tag = fieldsOf(tags)[MESSAGE_KEY];
  return (
    messageIdIn(Array.isArray(tag) ? tag[0] : tag) ??
    messageIdIn(headerIn(headers, 'X-SES-MESSAGE-TAGS')?.replace(/^.*=/, '')) ??
    messageIdIn(headerIn(headers, 'Message-ID')) ??
    messageIdIn(fieldsOf(commonHeaders).messageId)
  );
}
