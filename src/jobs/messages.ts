import type { Address } from '../db/orm.ts';
import type { Attempt } from '../domain/imports/attempts.ts';

/** What the thread for bulk jobs needs to open its database. */
export interface ChunkThreadSetup {
  address: Address;
  /** Maximum concurrent attempts. */
  concurrency: number;
}

export type ChunkQuestion = Attempt;

export interface ChunkAnswer {
  /** Items that were settled; 0 if nothing was left to do. */
  items: number;
  seconds: number;
  /** Why the attempt failed; `outage` is not the job's fault. */
  failure: 'outage' | 'job' | undefined;
}
