import type { Address } from '../db/orm.ts';

/** What the thread for automations needs to open its database. */
export interface EngineThreadSetup {
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

/** What the thread tells of its own accord. */
export interface RunsLost {
  /** Runs that have failed for good, or were ended or not started as too much has followed from one event already. */
  why: 'failed' | 'cut';
  runs: number;
}
