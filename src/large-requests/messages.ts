import type { Address } from '../db/orm.ts';
import type { BatchSource } from '../domain/write/batch-observer.ts';

/** Large requests that a process handles concurrently. */
export const MAX_CONCURRENT = 3;

/** What the thread for large requests needs to open its database and contracts. */
export interface LargeRequestsSetup {
  address: Address;
  compatAuthSchemes: readonly string[];
}

/** A batch that the thread has written, for the metrics. */
export interface BatchWritten {
  source: BatchSource;
  items: number;
  seconds: number;
}
