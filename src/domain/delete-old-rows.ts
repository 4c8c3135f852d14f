import { sql } from 'kysely';
import type { Sql } from '../db/sql.ts';
import type { Tables } from '../db/tables.ts';
import type { DataTask } from '../engine/periodic.ts';
import { LOWEST_ID, lowestIdAt } from '../ids/uuid-v7.ts';
import { DAY } from './time/duration.ts';

/** Rows of one store that are deleted at once. */
const MOST = 5_000;

/** Rows that are kept for some time. */
export interface OldRows {
  table: keyof Tables & string;
  /** The columns of the primary key after the store. */
  key: readonly string[];
  /**
   * The column with the time from which they are kept, of which there is an index by store; one that `isId` has ids, which
   * begin with it.
   */
  since: string;
  isId?: boolean;
  /** The same for all stores, for which 0 keeps them for ever; or those of each store. */
  days: number | ((storeId: string) => Promise<number>);
  failure: string;
}

/** Deletes rows that are older than so many days, of each store in turn. */
export function deletionOfOldRows(rows: OldRows): DataTask {
  let after = LOWEST_ID;
  return {
    failure: rows.failure,
    everyMs: 60_000,
    rows: rows.table,
    forMs: 5_000,
    async run(db, until) {
      while (rows.days !== 0 && performance.now() < until) {
        const storeId = await nextStore(db, rows, after);
        after = storeId ?? LOWEST_ID;
        if (storeId === undefined) return;
        await deleteOfStore(db, rows, storeId, until);
      }
    },
  };
}

async function nextStore(db: Sql, { table }: OldRows, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ storeId: string }>`
    select store_id as "storeId" from ${sql.table(table)}
    where store_id > ${after} order by store_id limit 1`.execute(db);
  return rows[0]?.storeId;
}

async function deleteOfStore(
  db: Sql,
  { table, key, since, isId, ...rows }: OldRows,
  storeId: string,
  until: number,
): Promise<void> {
  const days = typeof rows.days === 'number' ? rows.days : await rows.days(storeId);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const bound = isId
    ? sql`${lowestIdAt(new Date(Date.now() - days * DAY))}::uuid`
    : sql`now() - make_interval(days => ${days}::int)`;
  let deleted = MOST;
  while (deleted === MOST && performance.now() < until) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)}
      where store_id = ${storeId} and (${columns}) in (
        select ${columns} from ${sql.table(table)}
        where store_id = ${storeId} and ${sql.ref(since)} < ${bound}
        order by ${sql.ref(since)} limit ${MOST}
        for update skip locked
      )`.execute(db);
    deleted = Number(numAffectedRows);
  }
}
