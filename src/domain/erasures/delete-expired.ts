import { sql } from 'kysely';
import type { DataTask } from '../../engine/periodic.ts';

/** Identifiers that are no longer suppressed are forgotten. */
export const DELETE_EXPIRED_SUPPRESSIONS: DataTask = {
  failure: 'identifiers that are no longer suppressed not deleted',
  everyMs: 60 * 60 * 1000,
  alsoAt: 'start',
  rows: 'suppressed_identifier',
  run: async (db) => {
    await sql`delete from suppressed_identifier where until <= now()`.execute(db);
  },
};
