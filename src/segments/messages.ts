import type { Address } from '../db/orm.ts';
import type { SegmentWork } from '../domain/segments/engine/work.ts';

/** What the thread for segments needs to open its database. */
export interface SegmentThreadSetup {
  address: Address;
  /** Stores that it works for at the same time. */
  concurrency: number;
}

export interface TurnQuestion {
  storeId: string;
  /** To take a turn, or to compare some members with what a second evaluator says. */
  task: 'turn' | 'compare';
}

export interface TurnAnswer {
  /** Whether something may be left to do. */
  isMore: boolean;
  /** Why it ended early. */
  failure: string | undefined;
  /** What the thread has done since the answer before. */
  work: SegmentWork;
}
