import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { type Page, type PageRequest, readTimeCursor, timeCursor, toPage } from '../reading/cursor.ts';

/** An order, as its events tell it. */
export interface Order {
  /** What the shop calls it; the id of its event if that names none. */
  id: string;
  eventId: string;
  profileId: string;
  placedAt: Date;
  /** Null for that of the store. */
  currency: string | null;
  /** Decimal numbers as text; the amount is null if no event says it. */
  amount: string | null;
  refunded: string;
  cancelledAt: Date | null;
  eventCount: number;
}

export interface OrderFilter {
  profileId: string | undefined;
  /** The first time, and that before which they were placed. */
  from: Date | undefined;
  to: Date | undefined;
}

type Row = Omit<Order, 'placedAt' | 'cancelledAt'> & { placed: number; cancelled: number | null; candidates?: number };

/** The lists of events have cursors of the same form. */
const LIST = 'order ';

const COLUMNS = sql`
  order_id as id, event_id as "eventId", profile_id as "profileId",
  (extract(epoch from placed_at) * 1000)::float8 as placed, currency, trim_scale(amount)::text as amount,
  trim_scale(refunded)::text as refunded, (extract(epoch from cancelled_at) * 1000)::float8 as cancelled,
  event_count as "eventCount"`;

/** Returns orders of a store, the latest first. */
export async function listOrders(
  db: Sql,
  storeId: string,
  { profileId, from, to }: OrderFilter,
  page: PageRequest,
): Promise<Page<Order>> {
  const before = page.cursor === undefined ? undefined : readTimeCursor(page.cursor, LIST);
  const conditions = [
    sql`store_id = ${storeId}`,
    ...(profileId === undefined ? [] : [sql`profile_id = ${profileId}`]),
    ...(from ? [sql`placed_at >= ${from.toISOString()}::timestamptz`] : []),
    ...(to ? [sql`placed_at < ${to.toISOString()}::timestamptz`] : []),
    ...(before ? [sql`(placed_at, event_id) < (${before.at.toISOString()}::timestamptz, ${before.id}::uuid)`] : []),
  ];
  const { rows } = await sql<Row>`
    select ${COLUMNS} from store_order where ${sql.join(conditions, sql` and `)}
    order by placed_at desc, event_id desc limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, toOrder, ({ placed, eventId }) =>
    timeCursor({ at: new Date(placed), id: eventId }, LIST),
  );
}

export async function findOrder(db: Sql, storeId: string, id: string): Promise<Order | undefined> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from store_order where store_id = ${storeId} and order_id = ${id}`.execute(db);
  return rows[0] && toOrder(rows[0]);
}

function toOrder({ placed, cancelled, ...order }: Row): Order {
  return { ...order, placedAt: new Date(placed), cancelledAt: cancelled === null ? null : new Date(cancelled) };
}
