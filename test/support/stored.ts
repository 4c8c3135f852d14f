import { Client } from 'pg';
import type { TestDatabase } from './postgres.ts';

/** One row, with the table that it is of. */
export interface Row {
  table: string;
  row: Record<string, unknown>;
}

/** Every row of every table that belongs to a store: also those of tables to come. */
export async function readRows({ url }: TestDatabase, storeId: string): Promise<Row[]> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ table_name: string }>(TABLES);
    const selects = tables.map(
      ({ table_name: table }) =>
        `select '${table}' as table, to_json(t)::text as row from "${table}" t where store_id = $1`,
    );
    const { rows } = await client.query<{ table: string; row: string }>(selects.join(' union all '), [storeId]);
    return rows.map(({ table, row }) => ({ table, row: JSON.parse(row) }));
  } finally {
    await client.end();
  }
}

const TABLES = `
  select table_name from information_schema.columns
  where table_schema = 'public' and column_name = 'store_id'
    and table_name not in (select inhrelid::regclass::text from pg_inherits)`;

/** Every id in what is stored of a store, but for that of the store itself. */
export async function idsOf(database: TestDatabase, storeId: string): Promise<string[]> {
  const text = JSON.stringify(await readRows(database, storeId));
  const ids = text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g);
  return [...new Set(ids)].filter((id) => id !== storeId);
}
