import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { MAX_BEHIND, type Read } from './read-changes.ts';
import { KINDS } from './reader.ts';

/** Seconds behind up to which a store's changes are followed at once. */
const IN_TIME = 2;
/** Of the time, that is taken while more is recorded than can be followed, and milliseconds of a rest at the most. */
const [SHARE, MAX_REST_MS] = [0.15, 5_000];
/** Entries behind, beyond which nobody rests: it is not far any more until all would have to be built anew. */
const TOO_FAR = MAX_BEHIND / 4;
/** The latest entries of the feed, which tell how much is being recorded. */
const LATEST = 40;

/**
 * How fast a store's changes are followed. While more is recorded than that, nobody catches up, however much time it
 * takes: most of it is left to what records, and the rest is followed afterwards.
 */
export class Pace {
  #items = 0;
  #seconds = 0;
  #lag = 0;
  #behind = 0;

  /** Notes what was read, and the seconds that it took. */
  note({ items, lag, behind }: Read, seconds: number): void {
    this.#items = 0.9 * this.#items + items;
    this.#seconds = 0.9 * this.#seconds + seconds;
    this.#lag = lag;
    this.#behind = behind;
  }

  /** Returns how many milliseconds to rest after a turn of so many. */
  async restAfter(ms: number, db: Sql, storeId: string): Promise<number> {
    if (this.#lag < IN_TIME || this.#behind > TOO_FAR || this.#items === 0) return 0;
    const isOutrun = (await arrivingPerSecond(db, storeId)) > this.#items / this.#seconds;
    return isOutrun ? Math.min(MAX_REST_MS, ms * (1 / SHARE - 1)) : 0;
  }
}

async function arrivingPerSecond(db: Sql, storeId: string): Promise<number> {
  const { rows } = await sql<{ items: number; seconds: number }>`
    select coalesce(sum(items), 0)::float8 as items, extract(epoch from now() - min(added_at))::float8 as seconds
    from (
      select kind, coalesce(cardinality(ids), 1) as items, added_at from addition
      where store_id = ${storeId} order by position desc, xid desc limit ${LATEST}
    ) as latest
    where kind = any(${texts(KINDS)}::text[])`.execute(db);
  const [{ items, seconds }] = rows as [(typeof rows)[number]];
  return items === 0 ? 0 : items / Math.max(seconds, 0.001);
}

/** Has the segments of a store left alone by all processes for a while. */
export async function rest(db: Sql, storeId: string, ms: number): Promise<void> {
  await sql`
    update segment_store set rest_until = now() + make_interval(secs => ${ms / 1000}::float8)
    where store_id in (select store_id from segment_store where store_id = ${storeId} for update skip locked)`.execute(
    db,
  );
}

/** Whether the segments of `t`, a store, are left alone now. */
export const IS_RESTING = sql`coalesce(t.rest_until > now(), false)`;

export async function isResting(db: Sql, storeId: string): Promise<boolean> {
  const { rows } = await sql<{ isResting: boolean }>`
    select ${IS_RESTING} as "isResting" from segment_store t where store_id = ${storeId}`.execute(db);
  return rows[0]?.isResting ?? false;
}
