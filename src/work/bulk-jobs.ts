import { extname } from 'node:path';
import { findStoresWithDueJobs } from '../domain/imports/attempts.ts';
import type { Work } from '../engine/engine.ts';

/** Bulk jobs of the compatibility surface, and imports of customers. */
export const BULK_JOBS: Work = {
  name: 'bulk jobs',
  module: new URL(`./bulk-jobs-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'turn at bulk jobs',
  maxMemory: 1_024,
  // A chunk is many statements, of which each may take seconds where it is large.
  stuckMs: 15_000,
  find: findStoresWithDueJobs,
  rows: `import_job where status <> 'complete'`,
};
