import type { Address } from '../db/orm.ts';

/** What the thread for segments needs to open its database. */
export interface SegmentThreadSetup {
  address: Address;
  /** Stores that it works for at the same time. */
  concurrency: number;
}

export interface TurnQuestion {
  storeId: string;
}

export interface TurnAnswer {
  /** Whether something may be left to do. */
  isMore: boolean;
  /** Why it ended early. */
  failure: string | undefined;
}
