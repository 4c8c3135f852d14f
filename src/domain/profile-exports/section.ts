import { type RawBuilder, sql } from 'kysely';
import { maxJsonBytes } from '../../db/json-size.ts';
import type { Table } from '../sweeps/step.ts';
import type { Exported } from './subject.ts';

/** What a column of the order is compared as. */
type KeyType = 'uuid' | 'timestamptz' | 'text' | 'int4' | 'bytea';

/** Rows of one kind that an export has of a customer. */
export interface Section {
  /** Its name in JSON, and that of its file. */
  name: string;
  /** What is told of a row, in this order: JSON, made of columns of `r`. */
  columns: Readonly<Record<string, RawBuilder<unknown>>>;
  /** The columns that rows are in the order of, by an index, and that tell them apart. */
  key: Readonly<Record<string, KeyType>>;
  /** A query for the rows of the customer, by one of the ids that lead to them; `from` is the first column of the key. */
  rows: (of: Exported, id: string, from: string | undefined) => RawBuilder<unknown>;
  /** The most bytes of a row, where it may be large; made of its columns. */
  bytes?: RawBuilder<unknown>;
  /** The table is gone through along its `id`, some rows at a time, as no index leads to those of a customer. */
  isScanned?: Table;
  /** Its rows are found for all ids at once. */
  findsAll?: boolean;
  /** There is one row. */
  isSingle?: boolean;
}

type Columns = Section['columns'];

/** Columns as they are. */
export function plain(...names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, sql`to_json(${sql.ref(`r.${name}`)})`]));
}

/** Times, as all of the API tells them. */
export function times(...names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, timeOf(sql.ref(`r.${name}`))]));
}

const FORMAT = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

export function timeOf(time: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_json(to_char(${time} at time zone 'utc', ${FORMAT}))`;
}

/** The name of what a column has the id of; null if it is gone. */
export function nameOf(table: Table, column: string): RawBuilder<unknown> {
  return sql`to_json((
    select n.name from ${sql.table(table)} n where n.store_id = r.store_id and n.id = ${sql.ref(`r.${column}`)}))`;
}

/** The most bytes of JSON columns. */
export function sizeOf(first: string, ...others: readonly string[]): RawBuilder<unknown> {
  return others.reduce((sum, column) => sql`${sum} + ${maxJsonBytes(column)}`, sql`${maxJsonBytes(first)}`);
}

/** The rows of a table whose `profile_id` leads to the customer. */
export function byProfile(table: Table): Section['rows'] {
  return ({ storeId }, id) => sql`
    select t.* from ${sql.table(table)} t where t.store_id = ${storeId} and t.profile_id = ${id}`;
}

/** The same where the index begins with something else that the store has few of, which is the first column of the key. */
export function byProfileWithin(table: Table, column: string, owner: Table): Section['rows'] {
  return ({ storeId }, id, from) => sql`
    select t.* from ${sql.table(owner)} o
    cross join lateral (
      select * from ${sql.table(table)}
      where store_id = ${storeId} and ${sql.ref(column)} = o.id and profile_id = ${id}
      offset 0
    ) t
    where o.store_id = ${storeId} ${onwards(from)}`;
}

/** Rows that belong to rows of another table, by a column with their id, which is the first column of the key. */
export function beside(table: Table, column: string, owner: Table): Section['rows'] {
  return ({ storeId }, id, from) => sql`
    select t.* from ${sql.table(owner)} o
    cross join lateral (
      select * from ${sql.table(table)} where store_id = ${storeId} and ${sql.ref(column)} = o.id
      offset 0
    ) t
    where o.store_id = ${storeId} and o.profile_id = ${id} ${onwards(from)}`;
}

function onwards(from: string | undefined): RawBuilder<unknown> {
  return from === undefined ? sql`` : sql`and o.id >= ${from}::uuid`;
}
