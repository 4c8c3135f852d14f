import { sql } from 'kysely';
import type { DataTask } from '../../engine/periodic.ts';

const DAYS = 30;

/** How customers were before they were merged is forgotten after 30 days. */
export const FORGET_MERGED: DataTask = {
  failure: 'what merged customers were before not forgotten',
  everyMs: 60 * 60 * 1000,
  alsoAt: 'start',
  rows: 'profile_merge where before is not null',
  run: async (db) => {
    await sql`
      update profile_merge set before = null
      where before is not null and created_at < now() - make_interval(days => ${DAYS}::int)`.execute(db);
  },
};
