import { sql } from 'kysely';
import type { Sql } from '../db/sql.ts';
import type { Row } from '../db/tables.ts';
import { planOfCountry } from './canonical/numbering-plans.ts';
import { invalid } from './service-error.ts';

/** What holds for everything that a store records. */
export type StoreSettings = Pick<Row<'store'>, 'id' | 'name' | 'country'>;

/** `db` is what stores have in common. */
export async function readStoreSettings(db: Sql, storeId: string): Promise<StoreSettings> {
  const { rows } = await sql<StoreSettings>`select id, name, country from store where id = ${storeId}`.execute(db);
  return rows[0] as StoreSettings;
}

/** Throws `validation_error` for a country whose numbers are not known. */
export async function changeCountry(db: Sql, storeId: string, country: string | null): Promise<StoreSettings> {
  if (country !== null && !planOfCountry(country)) {
    throw invalid({ path: ['country'], problem: 'is not the code of a country (ISO 3166), such as GB' });
  }
  const { rows } = await sql<StoreSettings>`
    update store set country = ${country} where id = ${storeId} returning id, name, country`.execute(db);
  return rows[0] as StoreSettings;
}
