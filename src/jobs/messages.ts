import type { Attempt } from '../domain/imports/attempts.ts';

/** What the thread for bulk jobs opens its database by. */
export interface ChunkThreadSetup {
  databaseUrl: string;
  /** Attempts that it may be asked for at the same time. */
  concurrency: number;
}

export type ChunkQuestion = Attempt;

export interface ChunkAnswer {
  /** Items that are settled; 0 where nothing was left to do. */
  items: number;
  seconds: number;
  /** Why the attempt failed: `outage` is not the job's fault. */
  failure: 'outage' | 'job' | undefined;
}
