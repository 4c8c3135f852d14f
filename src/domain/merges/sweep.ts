import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Sweep } from '../sweeps/sweep.ts';
import { insertChangedProfiles } from '../write/insert.ts';
import type { Merging } from './merge.ts';
import { STEPS } from './rules.ts';

/**
 * Seconds after which it is looked once more whether something has come late: what was looked up before the merge, and written
 * after it, in a transaction of its own each.
 */
const PROBE_AFTER_S = [60, 24 * 60 * 60] as const;

interface Row {
  fromId: string;
  probes: number;
}

/** What is left of customers who are merged: it moves to whoever they are by now. */
export const MERGED: Sweep<Merging, Row> = {
  table: 'profile_merge',
  columns: sql`from_id as "fromId", probes`,
  steps: STEPS,
  subjects: async (tx, storeId, { fromId }) => [
    { storeId, profileId: fromId, winnerId: await winnerOf(tx, storeId, fromId) },
  ],
  async found(tx, storeId, { fromId }) {
    await enterMerged(tx, storeId, await winnerOf(tx, storeId, fromId));
  },
  async completed(_tx, _storeId, { probes }) {
    const seconds = PROBE_AFTER_S[probes] ?? null;
    return sql`probes = probes + 1, due_at = now() + make_interval(secs => ${seconds}::float8)`;
  },
};

async function winnerOf(tx: Sql, storeId: string, id: string): Promise<string> {
  const { rows } = await sql<{ profileId: string }>`
    select profile_id as "profileId" from profile_alias where store_id = ${storeId} and id = ${id}`.execute(tx);
  const [alias] = rows;
  if (!alias) throw new Error('A customer who was merged leads to nobody');
  return alias.profileId;
}

/** Has everybody who follows the feed look at a customer anew, whatever they ask for. */
export async function enterMerged(tx: Sql, storeId: string, profileId: string): Promise<void> {
  const ids = sql`select array[${profileId}::uuid] as ids`;
  await insertChangedProfiles(storeId, ids, { cause: 'merge' }).execute(tx);
}
