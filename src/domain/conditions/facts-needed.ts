import type { Audience } from './audience.ts';
import type { HistoryQuestion, ItemRef } from './subject.ts';

/** What has to be known of a customer before a condition can be decided. */
export type ConditionNeed =
  | { type: 'membership'; audience: Audience }
  | { type: 'consents' }
  | ({ type: 'item' } & ItemRef)
  | { type: 'count'; question: HistoryQuestion };

/** Thrown by what decides, and turned into its answer: with these facts it will get further. */
export class MissingFacts<Need = ConditionNeed> extends Error {
  readonly needs: readonly Need[];

  constructor(needs: readonly Need[]) {
    super('Facts have to be looked up first');
    this.needs = needs;
  }
}

/** A customer has more events of a type than are read to decide a condition. */
export class HistoryTooLong extends Error {
  readonly eventType: string;

  constructor(eventType: string) {
    super(`There are too many events of the type ${eventType}`);
    this.eventType = eventType;
  }
}
