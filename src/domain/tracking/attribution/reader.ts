import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { OLDEST_UNREAD } from '../../feed/readers.ts';

/** The name under which the position in a store's change feed is kept. A store has it once somebody followed a link of its messages. */
export const READER = 'attribution';

/** Seconds that changes wait: many are read together, as nobody waits for them. */
const WAIT_S = 1;

/** Finds the stores of one part of the data that have changes to be read. */
export async function findUnread(db: Sql): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    select r.store_id as "storeId" from feed_reader r
    cross join lateral (select ${OLDEST_UNREAD} as since offset 0) unread
    where r.name = ${READER} and unread.since <= now() - make_interval(secs => ${WAIT_S})`.execute(db);
  return rows.map(({ storeId }) => storeId);
}
