import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import { isTimeout } from '../../../db/driver-errors.ts';
import { limitStatements } from '../../../db/limit-statements.ts';
import type { Sql } from '../../../db/orm.ts';
import type { DataTask } from '../../../engine/periodic.ts';
import { alsoBought, bestSellers } from './compute.ts';

type Kind = 'also_bought' | 'best_sellers';

/** Whose ids its places are. */
const TABLES = { also_bought: sql.table('catalog_item'), best_sellers: sql.table('catalog_category') };
const COMPUTE = { also_bought: alsoBought, best_sellers: bestSellers };
/** For how long it is not found out anew. */
const KEPT = { also_bought: sql`interval '1 day'`, best_sellers: sql`interval '1 hour'` };
/** Milliseconds that who asks waits for it; after that, it is found out in the background, and others stand in for it. */
const PATIENCE_MS = 300;
/** The same in the background; and in how long it is tried once more that took longer, too. */
const LONGEST_MS = 60_000;
const AGAIN = sql`interval '10 minutes'`;
/** Places that one run looks at, one of a store. */
const MOST_STORES = 100;

interface Kept {
  ids: string[];
  /** Or it is being found out in the background. */
  isFresh: boolean;
  isSlow: boolean;
}

/**
 * Returns what is bought with an item, or most in a category: as it was found out before, or now where that is too old. What takes
 * too long for that is found out in the background, and what was known before answers meanwhile.
 */
export async function keptRecommendation(db: Sql, storeId: string, kind: Kind, place: string): Promise<string[]> {
  const { rows } = await sql<Kept>`
    select item_ids as ids, due_at is not null or computed_at > now() - ${KEPT[kind]} as "isFresh", is_slow as "isSlow"
    from recommendation
    where store_id = ${storeId} and kind = ${kind} and place = ${place}`.execute(db);
  const [kept] = rows;
  if (kept?.isFresh) return kept.ids;
  if (!kept?.isSlow) {
    const found = await computeOnce(db, { storeId, kind, place }, PATIENCE_MS);
    if (found !== 'too slow') return found ?? kept?.ids ?? [];
  }
  await leaveForLater(db, { storeId, kind, place });
  return kept?.ids ?? [];
}

/** Finds out what took too long for those who asked: one of each store at a time, as that may take a while. */
export const FIND_LATE_RECOMMENDATIONS: DataTask = {
  failure: 'what is recommended not found out',
  everyMs: 1_000,
  rows: 'recommendation where due_at is not null',
  forMs: 2 * LONGEST_MS,
  async run(db, until) {
    const { rows } = await sql<Place>`
      select distinct on (store_id) store_id as "storeId", kind, place from recommendation
      where due_at <= now()
      order by store_id, due_at
      limit ${MOST_STORES}`.execute(db);
    for (const one of rows) {
      if (performance.now() > until) return;
      if ((await computeOnce(db, one, LONGEST_MS)) === 'too slow') await leaveForLater(db, one, AGAIN);
    }
  },
};

interface Place {
  storeId: string;
  kind: Kind;
  place: string;
}

/** Undefined if somebody else does so already. */
async function computeOnce(db: Sql, one: Place, patienceMs: number): Promise<string[] | 'too slow' | undefined> {
  const { storeId, kind, place } = one;
  try {
    return await db.transaction().execute(async (tx) => {
      const lock = `footfall.recommendation ${storeId} ${kind} ${place}`;
      const { rows } = await sql<{ isMine: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as "isMine"`.execute(tx);
      if (!rows[0]?.isMine) return undefined;
      await limitStatements(tx, patienceMs);
      const began = performance.now();
      const ids = await COMPUTE[kind](tx, storeId, place);
      await keep(tx, one, ids, performance.now() - began > PATIENCE_MS);
      return ids;
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return 'too slow';
  }
}

/** Not of what the catalog does not have: whoever asks may make up as many ids as they like. */
const isThere = ({ storeId, kind, place }: Place) => sql`
  (${place}::text = '' or exists (select from ${TABLES[kind]} where store_id = ${storeId} and id = ${place}))`;

async function keep(db: Sql, one: Place, ids: readonly string[], isSlow: boolean): Promise<void> {
  const { storeId, kind, place } = one;
  await sql`
    insert into recommendation (store_id, kind, place, item_ids, computed_at, is_slow)
    select ${storeId}::uuid, ${kind}::text, ${place}::text, ${texts(ids)}::text[], now(), ${isSlow}
    where ${isThere(one)}
    on conflict (store_id, kind, place) do update
    set item_ids = excluded.item_ids, computed_at = excluded.computed_at, is_slow = excluded.is_slow, due_at = null`.execute(
    db,
  );
}

/** Keeps what was known of it, if anything. */
async function leaveForLater(db: Sql, one: Place, later: RawBuilder<unknown> = sql`interval '0'`): Promise<void> {
  const { storeId, kind, place } = one;
  await sql`
    insert into recommendation (store_id, kind, place, item_ids, computed_at, is_slow, due_at)
    select ${storeId}::uuid, ${kind}::text, ${place}::text, '{}', now(), true, now() + ${later}
    where ${isThere(one)}
    on conflict (store_id, kind, place) do update set due_at = excluded.due_at`.execute(db);
}
