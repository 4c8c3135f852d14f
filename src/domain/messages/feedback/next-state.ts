import type { MessageStatus } from '../core/message.ts';
import { faultOf, OUTCOMES } from './classify.ts';
import type { FeedbackItem } from './item.ts';

/** What is known of a message of which something is told. Times are milliseconds. */
export interface MessageState {
  status: MessageStatus;
  reason: string | null;
  response: string | null;
  begunAt: number | null;
  deliveredAt: number | null;
  bouncedAt: number | null;
  complainedAt: number | null;
}

/** States only move forward, whatever order they are told in: what has come back was not delivered after that. */
const RANKS: Partial<Record<MessageStatus, number>> = { sent: 1, delivered: 2, failed: 3, bounced: 4, complained: 5 };
/** Whether it is not decided yet that a message was handed over. */
export const isOpen = (status: MessageStatus) => ['waiting', 'claimed', 'sending', 'unknown'].includes(status);
/** Characters of what was said. */
const MAX_RESPONSE = 200;

/** Returns what is known of a message once an item of it has been told; the same, if that changes nothing. */
export function nextState(state: MessageState, item: FeedbackItem): MessageState {
  const { kind } = item;
  // Nobody can have got what was never handed over.
  if (state.begunAt === null || ['skipped', 'expired', 'cancelled'].includes(state.status)) return state;
  // A relay may say of what it has not taken that it will take longer.
  if (kind === 'deferred' && state.status !== 'unknown' && state.status !== 'sending') return state;
  const at = item.occurredAt.getTime();
  const told = outcomeOf(item);
  const isLater = isOpen(state.status) || (RANKS[told.status] ?? 0) > (RANKS[state.status] ?? 0);
  return {
    ...state,
    ...(isLater && { status: told.status, reason: told.reason }),
    ...(isLater && told.reason !== null && { response: item.detail?.slice(0, MAX_RESPONSE) ?? state.response }),
    deliveredAt: state.deliveredAt ?? (kind === 'delivered' ? at : null),
    bouncedAt: state.bouncedAt ?? (kind === 'bounced' ? at : null),
    complainedAt: state.complainedAt ?? (kind === 'complained' ? at : null),
  };
}

function outcomeOf(item: FeedbackItem): { status: MessageStatus; reason: string | null } {
  switch (item.kind) {
    case 'bounced':
      return OUTCOMES[faultOf(item)];
    case 'delivered':
    case 'complained':
      return { status: item.kind, reason: null };
    case 'deferred':
    case 'unsubscribed':
      return { status: 'sent', reason: null };
  }
}
