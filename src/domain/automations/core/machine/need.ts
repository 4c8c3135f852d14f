import type { Channel } from '../../../conditions/condition.ts';
import type { ConditionNeed } from '../../../conditions/facts-needed.ts';
import type { EventMatch } from '../definition/event-match.ts';

/** What the core has to be told before it can decide. */
export type Need =
  | ConditionNeed
  | { type: 'profile' }
  | { type: 'look_back'; question: LookBackQuestion }
  /** A code of a coupon pool, which the customer then has. */
  | { type: 'coupon'; poolId: string; runId: string }
  /** Whether a webhook may be sent that counts as a message, which it then does. `at`: milliseconds. */
  | { type: 'counted'; channel: Channel; runId: string; seq: number; stepId: string; at: number }
  /** A run of the customer that the state does not have. */
  | { type: 'run'; id: string };

/** Which of a customer's events, the one that arrived first, fits one of several matches. */
export interface LookBackQuestion {
  matches: readonly EventMatch[];
  /** The run, whose messages some matches are about. */
  runId: string;
  /** The key of the run. */
  key: string | null;
  /** Milliseconds: what occurred earlier does not fit. */
  from: number;
  /** What happened up to then fits only if it arrived after the trigger, or after the event that led to the step. */
  trigger: {
    at: number;
    /** Null if only ids tell which of two events arrived first. */
    receivedAt: number | null;
    eventId: string | null;
  };
  /** Events that have been used already. */
  except: readonly string[];
  /** Whether those are enough that whoever reads events in order has not come to yet. */
  isUnread?: boolean;
}
