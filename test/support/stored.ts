import { Client } from 'pg';
import type { TestDatabase } from './postgres.ts';

/** One row, with the table that it is of. */
export interface Row {
  table: string;
  row: Record<string, unknown>;
}

/** Every row of every table that belongs to a store: also those of tables to come. */
export async function readRows({ url }: TestDatabase, storeId: string): Promise<Row[]> {
  const reader = readers.get(url) ?? openReader(url);
  readers.set(url, reader);
  const { client, text } = await reader;
  const { rows } = await client.query<{ table: string; row: string }>({ name: 'rows', text, values: [storeId] });
  return rows.map(({ table, row }) => ({ table, row: JSON.parse(row) }));
}

interface Reader {
  client: Client;
  /** Reads the rows of a store; to plan it takes longer than to run it, and a new connection has to know each table first. */
  text: string;
}

/** By the URL of the database, with which they end. */
const readers = new Map<string, Promise<Reader>>();

async function openReader(url: string): Promise<Reader> {
  const client = new Client(url);
  client.on('error', () => readers.delete(url));
  await client.connect();
  client.unref();
  const { rows: tables } = await client.query<{ table_name: string }>(TABLES);
  const selects = tables.map(
    ({ table_name: table }) =>
      `select '${table}' as table, to_json(t)::text as row from "${table}" t where store_id = $1`,
  );
  return { client, text: selects.join(' union all ') };
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
