import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { canonicalName } from '../canonical/text.ts';
import { addFeedReader } from '../feed/readers.ts';
import { invalid } from '../service-error.ts';
import { READER } from './reader/find-unread.ts';
import { LISTS, type OrderRule, USUAL_RULE } from './rule.ts';

export interface OrderSettings extends OrderRule {
  /** Whether the orders of all events are read that were there before. */
  isComplete: boolean;
}

/** Those that change. */
export type OrderChanges = { [List in keyof OrderRule]?: readonly string[] | undefined };

export const RULE_COLUMNS = sql`
  placed_types as "placedTypes", refunded_types as "refundedTypes", cancelled_types as "cancelledTypes",
  order_id_properties as "orderIdProperties", amount_properties as "amountProperties",
  currency_properties as "currencyProperties"`;

/** Of a store in which nobody has ordered or set anything yet, the usual ones. */
export async function readOrderSettings(db: Sql, storeId: string): Promise<OrderSettings> {
  const { rows } = await sql<OrderSettings>`
    select ${RULE_COLUMNS}, stage = 'ready' as "isComplete" from order_settings where store_id = ${storeId}`.execute(
    db,
  );
  return rows[0] ?? { ...USUAL_RULE, isComplete: true };
}

/**
 * Changes the lists that are given, and has the orders of all events that there still are read anew if that changes something;
 * those whose events are gone stay. Throws `validation_error` for a type of events that would mean two things, and for what a
 * list has twice.
 */
export async function changeOrderSettings(db: Sql, storeId: string, changes: OrderChanges): Promise<OrderSettings> {
  const given = LISTS.flatMap((list) => {
    const values = changes[list];
    return values === undefined ? [] : [[list, list.endsWith('Types') ? values.map(canonicalName) : values] as const];
  });
  for (const [list, values] of given) expectNoneTwice(list, values);
  if (given.length === 0) return await readOrderSettings(db, storeId);
  const isChanged = await db.transaction().execute(async (tx) => {
    await sql`insert into order_settings (store_id) values (${storeId}) on conflict do nothing`.execute(tx);
    const { rows } = await sql<OrderRule>`
      select ${RULE_COLUMNS} from order_settings where store_id = ${storeId} for update`.execute(tx);
    const former = rows[0] as OrderRule;
    const rule: OrderRule = { ...former, ...Object.fromEntries(given.map(([list, values]) => [list, [...values]])) };
    expectDistinct(rule);
    if (LISTS.every((list) => JSON.stringify(former[list]) === JSON.stringify(rule[list]))) return false;
    await sql`
      update order_settings
      set ${sql.join(LISTS.map((list) => set(list, rule[list])))}, stage = 'forgetting', place_type = null,
        place_at = null, place_id = null
      where store_id = ${storeId}`.execute(tx);
    return true;
  });
  // From before the events are read that are there: what comes later is in the feed.
  if (isChanged) await addFeedReader(db, { storeId, name: READER });
  return await readOrderSettings(db, storeId);
}

function expectNoneTwice(list: keyof OrderRule, values: readonly string[]): void {
  const second = values.findIndex((value, i) => values.indexOf(value) < i);
  if (second >= 0) throw invalid({ path: ['orders', columnOf(list), second], problem: 'is in the list already' });
}

const columnOf = (list: keyof OrderRule) => list.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function set(list: keyof OrderRule, values: readonly string[]): RawBuilder<unknown> {
  return sql`${sql.ref(columnOf(list))} = ${texts(values)}::text[]`;
}

function expectDistinct({ placedTypes, refundedTypes, cancelledTypes }: OrderRule): void {
  const refund = refundedTypes.findIndex((type) => placedTypes.includes(type));
  if (refund >= 0)
    throw invalid({ path: ['orders', 'refunded_types', refund], problem: 'is one of placed_types, too' });
  const both = [...placedTypes, ...refundedTypes];
  const cancellation = cancelledTypes.findIndex((type) => both.includes(type));
  if (cancellation < 0) return;
  const problem = 'is one of placed_types or refunded_types, too';
  throw invalid({ path: ['orders', 'cancelled_types', cancellation], problem });
}
