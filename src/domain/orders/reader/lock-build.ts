import { sql } from 'kysely';
import type { OrderSettingsRecord } from '../../../db/entities/order-settings.ts';
import type { Sql } from '../../../db/sql.ts';
import type { OrderRule } from '../rule.ts';
import { RULE_COLUMNS } from '../settings.ts';

export interface Build extends OrderRule, Pick<OrderSettingsRecord, 'stage' | 'placeType' | 'placeAt' | 'placeId'> {}

/** Locks the orders and sums of a store: how they are read, and how far what was there before is. */
export async function lockBuild(tx: Sql, storeId: string): Promise<Build> {
  const build = await lockOrders(tx, storeId);
  if (build) return build;
  await sql`insert into order_settings (store_id) values (${storeId}) on conflict do nothing`.execute(tx);
  return (await lockOrders(tx, storeId)) as Build;
}

/** The same; undefined of a store that has no orders and no settings for them. */
export async function lockOrders(tx: Sql, storeId: string): Promise<Build | undefined> {
  const { rows } = await sql<Omit<Build, 'placeAt'> & { at: number | null }>`
    select ${RULE_COLUMNS}, stage, place_type as "placeType", (extract(epoch from place_at) * 1000)::float8 as at,
      place_id as "placeId"
    from order_settings where store_id = ${storeId} for no key update`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  const { at, ...build } = row;
  return { ...build, placeAt: at === null ? null : new Date(at) };
}
