import { readPhone } from '../../domain/canonical/phone.ts';
import { problemOfUnstorable } from '../../domain/lossless-json.ts';
import type { FeedbackItem, FeedbackKind, ToldFeedback } from '../../domain/messages/feedback/item.ts';
import type { Reply } from '../../domain/messages/replies/reply.ts';
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

/** The type of an item that is no fate of a message, but the answer to one. */
const REPLIED = 'replied';
/** Characters of an answer. */
const MAX_TEXT = 10_000;

/** What tells in the form of this service: a relay or a program of the store's own. */
export function readGeneric(request: HookRequest, { secret }: Settings): ToldFeedback {
  expectStandardWebhook(request, secret);
  const { items } = fieldsOf(parseBody(request.body));
  if (!Array.isArray(items)) throw invalid({ path: ['items'], problem: 'is required, as a list' });
  if (items.length === 0) throw invalid({ path: ['items'], problem: 'must have an item' });
  expectItems(items.length, ['items']);
  const all = items.map((item, i) => ({ item: fieldsOf(item), path: ['items', i] }));
  const isReply = ({ item }: { item: Fields }) => item.type === REPLIED;
  return {
    proof: null,
    items: all.filter((one) => !isReply(one)).map(({ item, path }) => readItem(item, path, request.now)),
    replies: all.filter(isReply).map(({ item, path }) => readReply(item, path, request.now)),
  };
}

function readReply(item: Fields, path: Violation['path'], now: number): Reply {
  const at = (name: string, problem: string) => invalid({ path: [...path, name], problem });
  const { from, text, occurred_at } = item;
  const number = typeof from === 'string' ? readPhone(from, null)?.value : undefined;
  if (!number?.startsWith('+')) throw at('from', 'must be an international number, which begins with +');
  if (typeof text !== 'string' || text.length > MAX_TEXT) {
    throw at('text', problemOfUnstorable(text) ?? `must be a text of ${MAX_TEXT} characters at most`);
  }
  const time = timeOf(item, path, now);
  return { id: idOf(item, path), from: number, text, word: undefined, at: occurred_at == null ? null : time };
}

function idOf({ id: given }: Fields, path: Violation['path']): string {
  const id = textOf(given);
  if (id !== undefined && id.length <= MAX_ID) return id;
  throw invalid({ path: [...path, 'id'], problem: `must be a text of 1 to ${MAX_ID} characters` });
}

function timeOf({ occurred_at: given }: Fields, path: Violation['path'], now: number): Date {
  if (given != null && Number.isNaN(Date.parse(textOf(given) ?? ''))) {
    throw invalid({ path: [...path, 'occurred_at'], problem: 'must be a time, as 2026-11-20T09:41:52Z' });
  }
  return occurredAt(given, now);
}

function readItem(item: Fields, path: Violation['path'], now: number): FeedbackItem {
  const at = (name: string, problem: string) => invalid({ path: [...path, name], problem });
  const { status, detail } = item;
  const id = idOf(item, path);
  const kind = textOf(item.type) ?? '';
  if (!KINDS.includes(kind)) throw at('type', `must be one of ${[...KINDS, REPLIED].join(', ')}`);
  const messageId = messageIdIn(item.message_id);
  if (messageId === null) throw at('message_id', 'must be the id of a message, or its Message-ID');
  if (status != null && (typeof status !== 'string' || !/^[245]\.\d{1,3}\.\d{1,3}$/.test(status))) {
    throw at('status', 'must be an enhanced status code, as 5.1.1');
  }
  if (detail != null && typeof detail !== 'string') throw at('detail', 'must be a text');
  return {
    id,
    kind: kind as FeedbackKind,
    messageId,
    statusCode: status ?? null,
    isPermanent: null,
    detail: detail ?? null,
    occurredAt: timeOf(item, path, now),
    raw: JSON.stringify(item),
  };
}
