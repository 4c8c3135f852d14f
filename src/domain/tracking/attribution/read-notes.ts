import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import { rowsById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { followAliases } from '../../profile-aliases.ts';
import { MAX_ORDER_ID, ORDER_ID_NAMES, type OrderText } from './order.ts';

/** An event as far as attribution asks for it. */
export interface EventNote extends OrderText {
  id: string;
  profileId: string;
  type: string;
  /** In milliseconds. */
  at: number;
  /** The message, of an event that the service itself recorded. */
  messageId: string | null;
}

const text = (keys: readonly string[], length: number) =>
  sql`left(coalesce(${sql.join(keys.map((key) => sql`e.properties ->> ${sql.lit(key)}`))}), ${sql.lit(length)})`;

/** With the names that clients of Klaviyo use. */
const ORDER_ID = text(ORDER_ID_NAMES, MAX_ORDER_ID + 1);
const VALUE = text(['value', '$value'], 64);
const CURRENCY = text(['currency', '$currency_code'], 8);

/** Returns those events that are of some types, and not historical, in their order. */
export async function readNotes(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
  types: readonly string[],
): Promise<EventNote[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<EventNote>`
    select e.id, e.profile_id as "profileId", e.event_type as type,
      (extract(epoch from e.occurred_at) * 1000)::float8 as at, e.source #>> '{message,id}' as "messageId",
      ${ORDER_ID} as "orderId", ${VALUE} as value, ${CURRENCY} as currency
    from ${rowsById('event', storeId, ids)} e
    where e.event_type = any(${texts(types)}::text[]) and (e.source ->> 'backfill') is distinct from 'true'
    order by e.n`.execute(tx);
  return [...(await followAliases(tx, storeId, rows))];
}
