import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

/** Milliseconds for which the setting of a store is remembered. */
const REMEMBERED_MS = 5_000;
/** Stores that are remembered. */
const MAX_STORES = 10_000;

/** Tells whether a store keeps a history of its customers, as it was set up to 5 s ago. `shared` is where the stores are. */
export function historySetting(shared: Sql): (storeId: string) => Promise<boolean> {
  const known = new Map<string, { readAt: number; isKept: boolean }>();
  return async (storeId) => {
    const remembered = known.get(storeId);
    if (remembered && performance.now() - remembered.readAt < REMEMBERED_MS) return remembered.isKept;
    const readAt = performance.now();
    const isKept = (await readHistoryDays(shared, storeId)) > 0;
    if (known.size >= MAX_STORES) known.clear();
    known.set(storeId, { readAt, isKept });
    return isKept;
  };
}

/** Returns for how many days a store keeps what has changed of its customers; 0 if it does not. */
export async function readHistoryDays(shared: Sql, storeId: string): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    select history_days as days from store where id = ${storeId}`.execute(shared);
  return rows[0]?.days ?? 0;
}
