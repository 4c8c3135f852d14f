import { nextAttemptAt } from '../../../engine/last-attempt.ts';
import type { FailureReason, MessageStatus, SkipReason } from '../core/message.ts';
import { NO_MAILBOX } from '../core/status-codes.ts';
import type { ClaimedMessage } from './claim.ts';

/** What came of handing a message over. */
export type HandedOver =
  | { outcome: 'accepted'; response: string; isComplained?: boolean }
  | {
      outcome: 'refused';
      permanent: boolean;
      code: number;
      /** As `5.1.1`; null if the relay sent none. */
      enhanced: string | null;
      response: string;
      /** What the relay does not like. */
      of: 'us' | 'recipient' | 'message';
      /** Whether the recipient has told the provider that they want nothing more. */
      hasOptedOut?: boolean;
    }
  | { outcome: 'failed'; reason: string; maybeSent: boolean };

/** What becomes of a message. Times are milliseconds. */
export interface Outcome {
  status: MessageStatus;
  reason: FailureReason | SkipReason | null;
  /** What the relay said; null if it said nothing. */
  response: string | null;
  /** When it is tried again; null if it is not. */
  dueAt: number | null;
  /** What it says of its address or its owner: it does not exist; they have complained, or want nothing more. */
  feedback?: 'bounce' | 'complaint' | 'opt-out';
}

const [MINUTE, HOUR] = [60_000, 3_600_000];
/** Milliseconds after a failed attempt until the next one: ten attempts in about 19 hours. */
const DELAYS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 4 * HOUR, 4 * HOUR, 4 * HOUR] as const;
/** Milliseconds before a last attempt. */
const SHORTEST_PAUSE = 10_000;
/** The share by which delays vary, so that what failed together is not repeated together. */
const JITTER = 0.2;

/** What becomes of a message after it was handed over. `random` is from 0 to below 1. */
export function outcomeOf(message: ClaimedMessage, handedOver: HandedOver, now: number, random: number): Outcome {
  const response = 'response' in handedOver ? handedOver.response : handedOver.reason;
  const ended = (status: MessageStatus, reason: Outcome['reason']): Outcome => {
    return { status, reason, response, dueAt: null };
  };
  if (handedOver.outcome === 'accepted') {
    return handedOver.isComplained ? { ...ended('complained', null), feedback: 'complaint' } : ended('sent', null);
  }
  if (handedOver.outcome === 'failed' && handedOver.maybeSent && message.class === 'marketing') {
    return ended('unknown', 'undecided');
  }
  if (handedOver.outcome === 'refused' && handedOver.permanent && !isLockedOut(handedOver)) {
    if (handedOver.of === 'us') return ended('failed', 'sender_refused');
    if (handedOver.of === 'message') return ended('failed', 'message_refused');
    if (handedOver.hasOptedOut) return { ...ended('failed', 'recipient_refused'), feedback: 'opt-out' };
    // Without a code, a 550 may as well mean that the relay does not want anything of ours.
    const isBounce = NO_MAILBOX.test(handedOver.enhanced ?? '');
    return isBounce ? { ...ended('bounced', 'no_mailbox'), feedback: 'bounce' } : ended('failed', 'recipient_refused');
  }
  const delay = DELAYS[message.attempt];
  if (delay === undefined) {
    if (handedOver.outcome === 'failed') return ended('failed', 'relay_unreachable');
    return ended('failed', handedOver.of === 'us' ? 'sender_refused' : 'recipient_refused');
  }
  const dueAt = nextAttemptAt({
    planned: now + Math.round(delay * (1 - JITTER + 2 * JITTER * random)),
    earliest: now + SHORTEST_PAUSE,
    expiresAt: message.expiresAt,
  });
  return dueAt === undefined ? ended('expired', null) : { status: 'waiting', reason: null, response, dueAt };
}

/**
 * Whether the relay does not let us in, as after a password was replaced, which may be mended before the last attempt; by
 * the codes of logging in, and by what it greets with, which has no enhanced code.
 */
function isLockedOut({ of, code, enhanced }: Extract<HandedOver, { outcome: 'refused' }>): boolean {
  return of === 'us' && (code < 550 || enhanced === null);
}

/** Whether it tells that the sender does not work, rather than something about one message. */
export function isFailureOfSender(handedOver: HandedOver): boolean {
  return handedOver.outcome === 'failed' || (handedOver.outcome === 'refused' && handedOver.of === 'us');
}
