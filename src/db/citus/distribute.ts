import { sql } from 'kysely';
import type { Sql } from '../sql.ts';

/** Tables that are read before the store of a request is known. They stay on the coordinator. */
const OF_COORDINATOR = [
  ...['store', 'api_key', 'person', 'membership', 'invitation', 'person_session', 'sign_in_failure'],
  ...['second_factor', 'recovery_code', 'password_reset', 'identity_provider', 'person_identity', 'provider_sign_in'],
  ...['notification_settings', 'attention_item', 'notification'],
];

export interface Distribution {
  /** Whether to distribute tables with data if none is distributed yet. */
  withData?: boolean;
  /** Called with the name of each table that has been distributed. */
  onTable?: (name: string) => void;
}

/** Whether the tables of the database are distributed by store. */
export async function isDistributed(db: Sql): Promise<boolean> {
  return (await hasCitus(db)) && (await countDistributed(db)) > 0;
}

/**
 * Distributes the tables that are not distributed yet, where the database has Citus: tables of stores by `store_id`, so
 * that all rows of a store are on one node. Tables with data stay as they are unless others are distributed already, or
 * `withData`. Can be interrupted and repeated.
 */
export async function distribute(db: Sql, { withData = false, onTable = () => {} }: Distribution = {}): Promise<void> {
  if (!(await hasCitus(db))) return;
  const tables = await localTables(db);
  if (!withData && (await countDistributed(db)) === 0 && (await hasRows(db, [...OF_COORDINATOR, ...tables]))) return;
  for (const name of tables) {
    await distributeByStore(db, name);
    onTable(name);
  }
  await truncateOriginals(db);
  await gather(db);
}

/** Earlier each node had a copy of what is now on the coordinator, so that all nodes were needed to change it. */
async function gather(db: Sql): Promise<void> {
  const { rows } = await sql`
    select from pg_dist_partition where logicalrelid = any(${OF_COORDINATOR}::regclass[])`.execute(db);
  if (rows.length > 0) await sql`select undistribute_table('store', cascade_via_foreign_keys => true)`.execute(db);
}

/** Citus leaves the rows where they were before they were distributed, unseen. */
async function truncateOriginals(db: Sql): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select logicalrelid::text as name from pg_dist_partition where pg_relation_size(logicalrelid) > 0`.execute(db);
  for (const { name } of rows) {
    await sql`select truncate_local_data_after_distributing_table(${name}::regclass)`.execute(db);
  }
}

async function distributeByStore(db: Sql, name: string): Promise<void> {
  // Without either, Citus could not move the table's shards while they are written to.
  await sql`
    do $$ begin
      if not exists (select from pg_index where indrelid = ${sql.lit(name)}::regclass and indisprimary) then
        alter table ${sql.id(name)} replica identity full;
      end if;
    end $$`.execute(db);
  const colocation = name === FIRST_TABLE ? 'default' : FIRST_TABLE;
  await sql`select create_distributed_table(${name}, 'store_id', colocate_with => ${colocation})`.execute(db);
}

/** The table whose shards those of all others lie beside. */
const FIRST_TABLE = 'profile';

async function hasCitus(db: Sql): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}

async function countDistributed(db: Sql): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_dist_partition where logicalrelid = to_regclass(${FIRST_TABLE})`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns our tables that are not distributed, in an order in which they can be: those that others refer to come first. */
async function localTables(db: Sql): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name
    from pg_class c
    where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace
      and relname <> all(${OF_COORDINATOR})
      and exists (select from pg_attribute where attrelid = c.oid and attname = 'store_id')
      and not exists (select from pg_dist_partition where logicalrelid = c.oid)
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
    order by relname <> ${FIRST_TABLE},
      (select count(*) from pg_constraint where contype = 'f' and conrelid = c.oid), relname`.execute(db);
  return rows.map(({ name }) => name);
}

async function hasRows(db: Sql, tables: readonly string[]): Promise<boolean> {
  for (const name of tables) {
    const { rows } = await sql`select from ${sql.id(name)} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}
