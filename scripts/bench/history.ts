import { sql } from 'kysely';
import type { Sql } from '../../src/db/orm.ts';
import { partitionStatement } from '../../src/db/partitions.ts';
import { sumUpCounts } from '../../src/domain/event-counts.ts';

const MONTHS = 12;
const TYPES = 20;
const PROFILES_PER_STEP = 100_000;

export interface Size {
  profiles: number;
  events: number;
}

/**
 * Stores a year of events as the service would: ordered by time, with few frequent customers and few frequent types,
 * and with their counts.
 */
export async function storeHistory(pool: Sql, storeId: string, size: Size): Promise<void> {
  // A temporary table is visible to one connection only.
  await pool.connection().execute((db) => storeAll(db, storeId, size));
}

async function storeAll(db: Sql, storeId: string, { profiles, events }: Size): Promise<void> {
  await sql`create temporary table customer (n int primary key, id uuid not null)`.execute(db);
  for (let from = 0; from < profiles; from += PROFILES_PER_STEP) {
    await storeProfiles(db, storeId, from, Math.min(profiles, from + PROFILES_PER_STEP) - 1);
    showProgress(`stored ${from + PROFILES_PER_STEP} profiles`);
  }
  await sql`analyze customer`.execute(db);
  const indexes = await dropIndexes(db);
  const now = new Date();
  for (let ago = MONTHS - 1; ago >= 0; ago -= 1) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago));
    const end = ago === 0 ? now : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago + 1));
    await sql.raw(partitionStatement(`event_${month.toISOString().slice(0, 7).replace('-', '_')}`)).execute(db);
    await storeMonth(db, storeId, { from: month, to: end, events: Math.ceil(events / MONTHS), profiles });
    showProgress(`stored the events of ${month.toISOString().slice(0, 7)}`);
  }
  for (const { name, definition } of indexes) {
    await sql.raw(definition).execute(db);
    showProgress(`made the index ${name}`);
  }
  await countAll(db, storeId);
  await storeOrders(db, storeId);
  await sql`drop table customer`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

interface Index {
  name: string;
  definition: string;
}

/** Drops the indexes of events except the primary key: creating them afterwards takes a fraction of the time. */
async function dropIndexes(db: Sql): Promise<Index[]> {
  const { rows } = await sql<Index>`
    select indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as definition from pg_indexes
    where tablename = 'event' and indexname <> 'event_pkey'`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db);
  return rows;
}

function showProgress(what: string): void {
  process.stderr.write(`\r${what}   `);
}

async function storeProfiles(db: Sql, storeId: string, first: number, last: number): Promise<void> {
  await sql`
    with new as (
      insert into customer
      select n, uuidv7(-interval '365 days' + n * interval '60 s') from generate_series(${first}::int, ${last}::int) n
      returning *
    ), named as (
      select id, now() - interval '365 days' + n * interval '60 s' as at, 'cust_' || n as external_id, '+4915' || lpad(n::text, 8, '0') as phone,
        (array['ada','bob','eve','ian','joe','kim','leo','mia','noa','zoe'])[n % 10 + 1] || '.' || n || '@example.com' as email
      from new
    ), written as (
      insert into profile (store_id, id, external_id, email, phone, attributes, created_at, updated_at)
      select ${storeId}, id, external_id, email, phone,
        '{"first_name": "Ada", "last_name": "Lovelace", "loyalty_tier": "gold", "orders": 7}',
        at, at + random() * (now() - at)
      from named
      returning id, updated_at
    ), entered as (
      insert into profile_update (store_id, updated_at, profile_ids)
      select ${storeId}, updated_at, array_agg(id) from written group by updated_at
    ), opted_out as (
      insert into consent (store_id, profile_id, channel, status, changed_at)
      select ${storeId}, id, 'email', 'unsubscribed', at from named where right(external_id, 1) = '7'
    )
    insert into profile_identifier (store_id, kind, value, profile_id)
    select ${storeId}, kind, value, id from named
    cross join lateral (values ('external_id', external_id), ('email', email), ('phone', phone)) as i (kind, value)`.execute(
    db,
  );
}

interface Month {
  from: Date;
  to: Date;
  events: number;
  profiles: number;
}

async function storeMonth(db: Sql, storeId: string, { from, to, events, profiles }: Month): Promise<void> {
  const [start, end] = [from.getTime() / 1000, to.getTime() / 1000];
  await sql`
    insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
    select ${storeId}, uuidv7(at - clock_timestamp()), customer.id, 'type_' || type,
      json_build_object('order_id', 'ord_' || visit.n, 'value', 59.9, 'currency', 'EUR',
        'items', json_build_array(json_build_object('sku', 'A-100', 'quantity', 2, 'price', 19.95))), at, at
    from (
      select n, date_trunc('milliseconds', to_timestamp(${start} + (${end - start})::float8 * n / ${events})) as at,
        floor(power(random(), 2) * ${profiles})::int as customer, floor(power(random(), 2) * ${TYPES})::int as type
      from generate_series(0, ${events - 1}::int) n
    ) as visit
    join customer on customer.n = visit.customer`.execute(db);
}

/** Counts like a running service: adds each batch to the counts and sums them up, day by day. */
async function countAll(db: Sql, storeId: string): Promise<void> {
  await sql`
    insert into event_count_new (store_id, start, event_type, month, count)
    select store_id, date_bin('15 minutes', occurred_at, '2000-01-01Z'), event_type,
      date_trunc('month', occurred_at at time zone 'UTC') at time zone 'UTC', count(*)
    from event where store_id = ${storeId}
    group by 1, 2, 3, 4
    order by 2`.execute(db);
  await sumUpCounts(db);
}

/** Has about a tenth of the events be orders, with their sums, as if they had been read; none is followed any more. */
async function storeOrders(db: Sql, storeId: string): Promise<void> {
  await sql`insert into order_settings (store_id, stage) values (${storeId}, 'ready')`.execute(db);
  await sql`
    insert into store_order (store_id, order_id, event_id, profile_id, placed_at, currency, amount, refunded, event_count,
      is_noted)
    select store_id, id, id, profile_id, occurred_at, 'EUR', 59.9, 0, 1, false
    from event
    where store_id = ${storeId} and event_type = 'type_0' and right(id::text, 1) < '7'
    order by occurred_at`.execute(db);
  await sql`
    insert into customer_value (store_id, profile_id, currency, orders, amount, refunded, first_at, last_at)
    select store_id, profile_id, currency, count(*), sum(amount), sum(refunded), min(placed_at), max(placed_at)
    from store_order where store_id = ${storeId} group by 1, 2, 3`.execute(db);
  await sql`
    insert into order_quarter (store_id, start, currency, orders, amount, refunded, cancelled, first_orders)
    select o.store_id, date_bin('15 minutes', placed_at, 'epoch'), o.currency, count(*), sum(o.amount), sum(o.refunded), 0,
      count(*) filter (where placed_at = v.first_at)
    from store_order o join customer_value v on v.store_id = o.store_id and v.profile_id = o.profile_id
    where o.store_id = ${storeId} group by 1, 2, 3`.execute(db);
  showProgress('stored the orders');
}
