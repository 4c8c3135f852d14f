import type { FeedbackItem, FeedbackKind, ToldFeedback } from '../../domain/messages/feedback/item.ts';
import { MESSAGE_KEY } from '../../domain/messages/provider-headers.ts';
import { parseBody } from '../../http/json-body.ts';
import { expectSecret } from '../proof.ts';
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
import { itemId } from './items.ts';

/** What its types of bounces mean; whether it calls them permanent, and the code where they have none of another server. */
const BOUNCES: Readonly<Record<string, { kind: FeedbackKind; isPermanent?: boolean; code?: string }>> = {
  HardBounce: { kind: 'bounced', isPermanent: true },
  BadEmailAddress: { kind: 'bounced', isPermanent: true },
  SoftBounce: { kind: 'bounced' },
  DnsError: { kind: 'bounced' },
  ManuallyDeactivated: { kind: 'bounced' },
  Transient: { kind: 'deferred' },
  Blocked: { kind: 'bounced', code: '5.7.1' },
  DMARCPolicy: { kind: 'bounced', code: '5.7.1' },
  SpamNotification: { kind: 'bounced', code: '5.7.1' },
  VirusNotification: { kind: 'bounced', code: '5.7.1' },
  SpamComplaint: { kind: 'complained' },
  Unsubscribe: { kind: 'unsubscribed' },
};

/** A hook of Postmark, which signs nothing: it sends the secret of the store. */
export function readPostmark({ body, header, now }: HookRequest, { secret }: Settings): ToldFeedback {
  expectSecret(header('Authorization'), secret);
  return { items: readRecord(fieldsOf(parseBody(body)), now), proof: null };
}

function readRecord(record: Fields, now: number): FeedbackItem[] {
  const meaning = meaningOf(record);
  if (!meaning) return [];
  const { RecordType, MessageID, ID } = record;
  const at = record.DeliveredAt ?? record.BouncedAt ?? record.ChangedAt;
  const detail = textOf(record.Details) ?? textOf(record.Description) ?? null;
  return [
    {
      // Only bounces and complaints have an id of their own.
      id: itemId(`${RecordType} ${ID ?? `${MessageID} ${at}`}`, ''),
      kind: meaning.kind,
      messageId: messageIdIn(fieldsOf(record.Metadata)[MESSAGE_KEY]),
      statusCode: meaning.kind === 'bounced' ? (codeIn(detail) ?? meaning.code ?? null) : null,
      isPermanent: meaning.isPermanent ?? null,
      detail,
      occurredAt: occurredAt(at, now),
      raw: JSON.stringify({ ...record, Content: undefined }),
    },
  ];
}

function meaningOf(record: Fields): (typeof BOUNCES)[string] | undefined {
  const type = textOf(record.Type) ?? '';
  switch (record.RecordType) {
    case 'Delivery':
      return { kind: 'delivered' };
    case 'Bounce':
      return Object.hasOwn(BOUNCES, type) ? BOUNCES[type] : undefined;
    case 'SpamComplaint':
      return { kind: 'complained' };
    case 'SubscriptionChange': {
      // Of bounces and complaints it tells besides.
      const isChoice = record.SuppressSending === true && record.SuppressionReason === 'ManualSuppression';
      return isChoice && record.Origin === 'Recipient' ? { kind: 'unsubscribed' } : undefined;
    }
    default:
      return undefined;
  }
}
