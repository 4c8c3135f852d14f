import { type Kysely, sql } from 'kysely';
import { lowestIdAt } from '../ids/uuid-v7.ts';
import type { Sql } from './sql.ts';
import type { StoreData } from './store-data.ts';
import type { Tables } from './tables.ts';

/** Partitions that are kept ready beyond the current month. */
const MONTHS_AHEAD = 2;

export interface PartitionsToCreate {
  /** What would be dropped again is not created; 0 keeps all. */
  retentionDays?: number;
  now?: Date;
}

/**
 * Creates the monthly partitions of `event` from last month (for a clock that lags) to two months ahead. Their bounds
 * are UUIDs of version 7, which begin with their time. Safe to run at any time and in several processes at once.
 */
export async function createPartitions(
  db: Kysely<Tables>,
  { retentionDays = 0, now = new Date() }: PartitionsToCreate = {},
): Promise<void> {
  for (let month = -1; month <= MONTHS_AHEAD; month += 1) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month));
    const name = `event_${from.toISOString().slice(0, 7).replace('-', '_')}`;
    if (retentionDays > 0 && isExpired(name, retentionDays, now)) continue;
    const known = await sql`select 1 from pg_class where oid = to_regclass(${name})`.execute(db);
    if (known.rows.length > 0) continue;
    await underLock(db, (tx) => sql.raw(partitionStatement(name)).execute(tx));
  }
}

/** Returns the statement that creates a partition by its name, such as `event_2026_11`, if it does not exist. */
export function partitionStatement(name: string): string {
  const [, year, month] = /^event_(\d{4})_(\d\d)$/.exec(name) ?? [];
  if (!year || !month) throw new Error(`${name} is no partition of event`);
  const [from, to] = [new Date(Date.UTC(+year, +month - 1)), new Date(Date.UTC(+year, +month))];
  return `create table if not exists ${name} partition of event
    for values from ('${lowestIdAt(from)}') to ('${lowestIdAt(to)}')`;
}

/**
 * Drops the partitions of `event` whose last event was received more than `days` ago, with the idempotency keys of
 * their events, which live as long, and their counts. Returns their names.
 *
 * They are detached first, which needs a lock that may not be had in time: nothing is deleted before. What is detached and
 * still there, as its process was killed, is dropped by the next one.
 */
export async function dropPartitions(
  { sql: db, stores }: { sql: Sql; stores: StoreData },
  days: number,
  now = new Date(),
): Promise<string[]> {
  const { rows } = await sql<{ name: string; isAttached: boolean }>`
    select c.relname as name, c.relispartition as "isAttached"
    from pg_class c
    where c.relnamespace = (select relnamespace from pg_class where oid = 'event'::regclass)
      and c.relkind = 'r' and c.relname ~ '^event_[0-9]{4}_[0-9]{2}$'
    order by 1`.execute(db);
  const expired = rows.filter(({ name, isAttached }) => !isAttached || isExpired(name, days, now));
  for (const { name, isAttached } of expired) if (isAttached) await detach(db, name);
  const last = expired.at(-1);
  if (!last) return [];
  // Before they are gone: a key that outlived its event could be neither reused nor replayed.
  await stores.each((part) => dropKeys(part, lowestIdAt(endOf(last.name))));
  for (const { name } of expired) {
    await stores.each((part) => dropCounts(part, startOfPartition(name)));
    await sql`drop table if exists ${sql.id(name)}`.execute(db);
  }
  return expired.map(({ name }) => name);
}

async function detach(db: Sql, name: string): Promise<void> {
  await underLock(db, async (tx) => {
    // Another process may have done it meanwhile.
    const { rows } = await sql`select from pg_class where oid = to_regclass(${name}) and relispartition`.execute(tx);
    if (rows.length > 0) await sql`alter table event detach partition ${sql.id(name)}`.execute(tx);
  });
}

/** Nobody else changes the partitions meanwhile. */
async function underLock(db: Kysely<Tables>, work: (tx: Kysely<Tables>) => Promise<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('footfall.partitions'))`.execute(tx);
    await work(tx);
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Pages of the key table, of 8 KB with some 60 to 100 keys each, that one transaction covers. */
const PAGES_PER_STEP = 256;

/** Returns the start of the month of a partition, such as `event_2026_11`. */
export function startOfPartition(name: string): Date {
  const [, year, month] = name.split('_').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1));
}

function isExpired(name: string, days: number, now: Date): boolean {
  return endOf(name).getTime() < now.getTime() - days * DAY_MS;
}

function endOf(name: string): Date {
  const start = startOfPartition(name);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
}

async function dropCounts(db: Sql, month: Date): Promise<void> {
  for (const counts of ['event_day', 'event_count_new'] as const) {
    await db.deleteFrom(counts).where('month', '=', month.toISOString()).execute();
  }
}

/**
 * Deletes the keys whose event is below an id: a single pass over the table, in steps that hold their locks briefly.
 * What is written meanwhile has a later event. An index on the event would cost each write more than this.
 */
async function dropKeys(db: Sql, id: string): Promise<void> {
  const { rows } = await sql<{ pages: number }>`
    select (pg_relation_size('idempotency_key'::regclass) / current_setting('block_size')::int)::int as pages`.execute(
    db,
  );
  const pages = rows[0]?.pages ?? 0;
  for (let page = 0; page < pages; page += PAGES_PER_STEP) {
    const [from, to] = [`(${page},0)`, `(${page + PAGES_PER_STEP},0)`];
    await sql`
      delete from idempotency_key
      where ctid >= ${from}::tid and ctid < ${to}::tid and event_id < ${id}`.execute(db);
  }
}
