import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import { isTimeout } from '../../../db/driver-errors.ts';
import { limitStatements } from '../../../db/limit-statements.ts';
import type { Sql } from '../../../db/orm.ts';
import { alsoBought, bestSellers } from './compute.ts';

type Kind = 'also_bought' | 'best_sellers';

/** Whose ids its places are. */
const TABLES = { also_bought: sql.table('catalog_item'), best_sellers: sql.table('catalog_category') };
const COMPUTE = { also_bought: alsoBought, best_sellers: bestSellers };
/** For how long it is not found out anew. */
const KEPT = { also_bought: sql`interval '1 day'`, best_sellers: sql`interval '1 hour'` };
/** Milliseconds after which it is given up: others stand in for it. */
const PATIENCE_MS = 300;

/** Returns what is bought with an item, or most in a category: as it was found out before, or now where that is too old. */
export async function keptRecommendation(db: Sql, storeId: string, kind: Kind, place: string): Promise<string[]> {
  const { rows } = await sql<{ ids: string[]; isFresh: boolean }>`
    select item_ids as ids, computed_at > now() - ${KEPT[kind]} as "isFresh" from recommendation
    where store_id = ${storeId} and kind = ${kind} and place = ${place}`.execute(db);
  const [kept] = rows;
  if (kept?.isFresh) return kept.ids;
  return (await computeOnce(db, storeId, kind, place)) ?? kept?.ids ?? [];
}

/** Undefined if somebody else does so already. What takes too long is taken for nothing until it is found out again. */
async function computeOnce(db: Sql, storeId: string, kind: Kind, place: string): Promise<string[] | undefined> {
  try {
    return await db.transaction().execute(async (tx) => {
      const lock = `footfall.recommendation ${storeId} ${kind} ${place}`;
      const { rows } = await sql<{ isMine: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as "isMine"`.execute(tx);
      if (!rows[0]?.isMine) return undefined;
      await limitStatements(tx, PATIENCE_MS);
      const ids = await COMPUTE[kind](tx, storeId, place);
      await keep(tx, storeId, kind, place, ids);
      return ids;
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    await keep(db, storeId, kind, place, []);
    return [];
  }
}

/** Not of what the catalog does not have: whoever asks may make up as many ids as they like. */
async function keep(db: Sql, storeId: string, kind: Kind, place: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into recommendation (store_id, kind, place, item_ids, computed_at)
    select ${storeId}::uuid, ${kind}::text, ${place}::text, ${texts(ids)}::text[], now()
    where ${place}::text = '' or exists (
      select from ${TABLES[kind]} where store_id = ${storeId} and id = ${place}
    )
    on conflict (store_id, kind, place) do update
    set item_ids = excluded.item_ids, computed_at = excluded.computed_at`.execute(db);
}
