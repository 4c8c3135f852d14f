import { sql } from 'kysely';
import { limitStatements } from '../../db/limit-statements.ts';
import type { Sql } from '../../db/sql.ts';
import type { CurrencyRevenue } from './revenue.ts';
import { readOrderSettings } from './settings.ts';

/** What a customer has ordered. */
export interface CustomerOrders {
  /** Of those that were not cancelled; null if there is none. */
  firstPlacedAt: Date | null;
  lastPlacedAt: Date | null;
  /** By currency, that of the most orders first. */
  revenue: CurrencyRevenue[];
  /** Whether there are more orders than were looked at, or more currencies than are returned. */
  isCut: boolean;
  /** Whether all orders of the store are known. */
  isComplete: boolean;
}

/** Orders that are looked at, the latest ones. */
const MAX_ORDERS = 10_000;
const MAX_CURRENCIES = 20;
/** Milliseconds of a statement. */
const MAX_MS = 2_000;

interface Row extends CurrencyRevenue {
  first: number | null;
  last: number | null;
  isCut: boolean;
}

/** Sums up the orders of a customer. `currency`, that of the store, is the one of orders that name none. */
export async function sumUpOrders(
  db: Sql,
  storeId: string,
  profileId: string,
  currency: string | null,
): Promise<CustomerOrders> {
  return await db.transaction().execute(async (tx) => {
    await limitStatements(tx, MAX_MS);
    const { rows } = await sql<Row>`
      with own as materialized (
        select placed_at, coalesce(currency, ${currency}::text) as currency, coalesce(amount, 0) as amount, refunded,
          cancelled_at is null as stands
        from store_order
        where store_id = ${storeId} and profile_id = ${profileId}
        order by placed_at desc, event_id desc
        limit ${MAX_ORDERS + 1}
      )
      select currency, (count(*) filter (where stands))::float8 as orders,
        (count(*) filter (where not stands))::float8 as cancelled,
        trim_scale(coalesce(sum(amount) filter (where stands), 0))::text as gross,
        trim_scale(coalesce(sum(refunded) filter (where stands), 0))::text as refunded,
        trim_scale(coalesce(sum(amount - refunded) filter (where stands), 0))::text as net,
        trim_scale(round(avg(amount) filter (where stands), 3))::text as average,
        (extract(epoch from min(placed_at) filter (where stands)) * 1000)::float8 as first,
        (extract(epoch from max(placed_at) filter (where stands)) * 1000)::float8 as last,
        (select count(*) > ${MAX_ORDERS} from own) as "isCut"
      from own
      group by currency
      order by orders desc, cancelled desc, currency`.execute(tx);
    const { isComplete } = await readOrderSettings(tx, storeId);
    const times = (of: 'first' | 'last') => rows.flatMap((row) => row[of] ?? []);
    return {
      firstPlacedAt: dateOf(Math.min(...times('first'))),
      lastPlacedAt: dateOf(Math.max(...times('last'))),
      revenue: rows.slice(0, MAX_CURRENCIES).map(({ first: _, last: __, isCut: ___, ...sums }) => sums),
      isCut: rows[0]?.isCut === true || rows.length > MAX_CURRENCIES,
      isComplete,
    };
  });
}

function dateOf(ms: number): Date | null {
  return Number.isFinite(ms) ? new Date(ms) : null;
}
