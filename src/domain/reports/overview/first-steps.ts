import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { IS_READY } from '../../senders/find-senders.ts';
import type { StoreSettings } from '../../store-settings.ts';

export interface FirstStep {
  kind: string;
  isDone: boolean;
}

/** Imports are forgotten after some days: so many customers are there by one, or without need of one. */
const MANY_CUSTOMERS = 100;
/** Looked at in the order in which they were made: what a store has done once stays done. */
const LOOKED_AT = 1_000;

/** In the order in which they are best done. */
const STEPS = {
  first_event: (storeId: string) => sql`exists (
    select from (select from event where store_id = ${storeId} order by occurred_at, id limit 1) e
  )`,
  customers_imported: (storeId: string) => sql`(
    exists (
      select from (select rows_created, rows_updated from customer_import where store_id = ${storeId} order by id limit ${LOOKED_AT}) i
      where rows_created + rows_updated > 0
    ) or (select count(*) from (select from profile where store_id = ${storeId} order by id limit ${MANY_CUSTOMERS}) p) = ${MANY_CUSTOMERS}
  )`,
  sender_verified: (storeId: string) => sql`exists (
    select from sender s where s.store_id = ${storeId} and s.deleted_at is null and s.kind <> 'outbox' and ${IS_READY}
  )`,
  automation_live: (storeId: string) =>
    sql`exists (select from automation where store_id = ${storeId} and status <> 'draft' and version is not null)`,
  campaign_sent: (storeId: string) => sql`exists (
    select from (select started_at from campaign where store_id = ${storeId} order by id limit ${LOOKED_AT}) c
    where started_at is not null
  )`,
};

/** The step before all others, which settings tell: what charts, dates and amounts mean. */
export function stepOfSettings({ timeZone, currency }: Pick<StoreSettings, 'timeZone' | 'currency'>): FirstStep {
  return { kind: 'store_set_up', isDone: timeZone !== null && currency !== null };
}

/** Says which first steps a store has taken, by what it has. */
export async function readFirstSteps(db: Sql, storeId: string): Promise<FirstStep[]> {
  const columns = Object.entries(STEPS).map(([kind, isDone]) => sql`${isDone(storeId)} as ${sql.ref(kind)}`);
  const { rows } = await sql<Record<string, boolean>>`select ${sql.join(columns)}`.execute(db);
  return Object.keys(STEPS).map((kind) => ({ kind, isDone: rows[0]?.[kind] ?? false }));
}
