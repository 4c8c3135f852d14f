import type { FeedbackItem, FeedbackKind, ToldFeedback } from '../../domain/messages/feedback/item.ts';
import { invalid, type Violation } from '../../domain/service-error.ts';
import { parseBody } from '../../http/json-body.ts';
import { expectStandardWebhook } from '../proof.ts';
import { type Fields, fieldsOf, type HookRequest, messageIdIn, occurredAt, type Settings, textOf } from '../values.ts';
import { expectItems, MAX_ID } from './items.ts';

const KINDS: readonly string[] = [
  'delivered',
  'deferred',
  'bounced',
  'complained',
  'unsubscribed',
] satisfies FeedbackKind[];

/** What tells in the form of this service: a relay or a program of the store's own. */
export function readGeneric(request: HookRequest, { secret }: Settings): ToldFeedback {
  expectStandardWebhook(request, secret);
  const { items } = fieldsOf(parseBody(request.body));
  if (!Array.isArray(items)) throw invalid({ path: ['items'], problem: 'is required, as a list' });
  if (items.length === 0) throw invalid({ path: ['items'], problem: 'must have an item' });
  expectItems(items.length, ['items']);
  return { proof: null, items: items.map((item, i) => readItem(fieldsOf(item), ['items', i], request.now)) };
}

function readItem(item: Fields, path: Violation['path'], now: number): FeedbackItem {
  const at = (name: string, problem: string) => invalid({ path: [...path, name], problem });
  const { status, detail } = item;
  const id = textOf(item.id);
  if (id === undefined || id.length > MAX_ID) throw at('id', `must be a text of 1 to ${MAX_ID} characters`);
  const kind = textOf(item.type) ?? '';
  if (!KINDS.includes(kind)) throw at('type', `must be one of ${KINDS.join(', ')}`);
  const messageId = messageIdIn(item.message_id);
  if (messageId === null) throw at('message_id', 'must be the id of a message, or its Message-ID');
  if (status != null && (typeof status !== 'string' || !/^[245]\.\d{1,3}\.\d{1,3}$/.test(status))) {
    throw at('status', 'must be an enhanced status code, as 5.1.1');
  }
  if (detail != null && typeof detail !== 'string') throw at('detail', 'must be a text');
  if (item.occurred_at != null && Number.isNaN(Date.parse(textOf(item.occurred_at) ?? ''))) {
    throw at('occurred_at', 'must be a time, as 2026-11-20T09:41:52Z');
  }
  return {
    id,
    kind: kind as FeedbackKind,
    messageId,
    statusCode: status ?? null,
    isPermanent: null,
    detail: detail ?? null,
    occurredAt: occurredAt(item.occurred_at, now),
    raw: JSON.stringify(item),
  };
}
