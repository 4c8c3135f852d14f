import { sql } from 'kysely';
import { integers, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';

/** What is counted of chains: events that runs emit, and runs that start by what runs did. */
export type ChainKind = 'events' | 'runs';

/** More than anybody counts to: how much was asked for in vain is counted, too. */
const MAX_COUNT = 2_000_000_000;

/** Returns the counts of chains that have any, by the ids of what they began with. Waits for nobody. */
export async function countChains(
  db: Sql,
  storeId: string,
  kind: ChainKind,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select id, count from automation_chain
    where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) and kind = ${kind}`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/**
 * Adds to the counts of chains, by the ids of what they began with, and returns what they were before. Whoever adds to the
 * same ones waits for the transaction to end; in one order, so that they don't wait for each other.
 */
export async function addToChains(
  tx: Sql,
  storeId: string,
  kind: ChainKind,
  added: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const inOrder = [...added].sort(([one], [other]) => (one < other ? -1 : 1));
  const { rows } = await sql<{ id: string; count: number }>`
    insert into automation_chain as c (store_id, id, kind, count)
    select ${storeId}::uuid, id, ${kind}::text, count
    from unnest(
      ${uuids(inOrder.map(([id]) => id))}::uuid[],
      ${integers(inOrder.map(([, count]) => count))}::int[]) as w (id, count)
    on conflict (store_id, id, kind) do update set count = least(${MAX_COUNT}::int, c.count + excluded.count)
    returning id, count`.execute(tx);
  return new Map(rows.map(({ id, count }) => [id, Math.max(0, count - (added.get(id) ?? 0))]));
}
