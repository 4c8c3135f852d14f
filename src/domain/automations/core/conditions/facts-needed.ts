import type { Audience } from '../definition/audiences.ts';
import type { EventMatch } from '../definition/event-match.ts';
import type { HistoryQuestion } from './subject.ts';

/** What the core has to be told before it can decide. */
export type Need =
  | { type: 'profile' }
  | { type: 'membership'; audience: Audience }
  | { type: 'consents' }
  | { type: 'count'; question: HistoryQuestion }
  | { type: 'look_back'; question: LookBackQuestion }
  /** A run of the customer that the state does not have. */
  | { type: 'run'; id: string };

/** Which of a customer's events, the one that occurred first, fits one of several matches. */
export interface LookBackQuestion {
  matches: readonly EventMatch[];
  /** The key of the run. */
  key: string | null;
  /** Milliseconds: what occurred earlier does not fit. */
  from: number;
  /** Until then, an event fits only if it was received after the trigger. */
  trigger: { at: number; receivedAt: number; eventId: string | null };
  /** Events that have been used already. */
  except: readonly string[];
  /** Whether those are enough that whoever reads events in order has not come to yet. */
  isUnread?: boolean;
}

/** Thrown within the core, and turned into its answer: with these facts it will get further. */
export class MissingFacts extends Error {
  readonly needs: readonly Need[];

  constructor(needs: readonly Need[]) {
    super('Facts have to be looked up first');
    this.needs = needs;
  }
}

/** Thrown within the core: a step fails that would have to read too much of a customer's history. */
export class HistoryTooLong extends Error {
  readonly eventType: string;

  constructor(eventType: string) {
    super(`There are too many events of the type ${eventType}`);
    this.eventType = eventType;
  }
}
