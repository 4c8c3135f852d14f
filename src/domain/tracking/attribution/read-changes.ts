import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import type { Log } from '../../../process/log.ts';
import { readNextEvents } from '../../feed/readers.ts';
import { readOrder, readRefund } from '../../orders/order-text.ts';
import { type EventNote, readNotes } from '../../orders/read-notes.ts';
import { pathsOf } from '../../orders/rule.ts';
import { readOrderSettings } from '../../orders/settings.ts';
import { type AttributionRule, readMessageSettings } from '../../senders/message-settings.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { EMAIL_CLICKED, EMAIL_OPENED } from '../core/event-types.ts';
import { credit } from './credit.ts';
import { HOLDS_OUT, READER } from './reader.ts';
import { writeOrders, writeRefunds } from './write-orders.ts';
import { ordersAfter, type Touch, writeTouches } from './write-touches.ts';

/** Events that one transaction looks at. */
const MAX_ITEMS = 1_000;

/**
 * Reads a store's next changes: writes down clicks, orders and refunds, and which message led to an order, in the transaction
 * that moves the place in the feed, so that each counts once, whatever fails in between. Returns whether more follows.
 */
export async function readChanges(db: Sql, storeId: string, log: Log): Promise<boolean> {
  return await retryConflicts(db, () =>
    readNextEvents(db, { storeId, name: READER }, MAX_ITEMS, {
      async handle(tx, ids) {
        const { attribution: rule } = await readMessageSettings(tx, storeId);
        const paths = pathsOf(await readOrderSettings(tx, storeId));
        await write(tx, storeId, await readNotes(tx, storeId, ids, typesOf(rule), { paths }), rule);
      },
      isUseless: (tx) => isUseless(tx, storeId),
      onGap: () => log.error({ store_id: storeId }, 'attribution has missed orders that nobody read for a week'),
    }),
  );
}

/**
 * Nothing can be credited any more: nobody has followed a link for as long as that may earn something, and nobody is held out.
 * What was followed in the last day may still be in the feed.
 */
async function isUseless(tx: Sql, storeId: string): Promise<boolean> {
  const { rows } = await sql`
    select where not exists (select from message_touch where store_id = ${storeId})
      and not exists (select from message_hit where store_id = ${storeId})
      and not ${HOLDS_OUT(storeId)}`.execute(tx);
  return rows.length > 0;
}

function typesOf({ conversionTypes, refundTypes, openWindow }: AttributionRule): string[] {
  return [EMAIL_CLICKED, ...(openWindow === null ? [] : [EMAIL_OPENED]), ...conversionTypes, ...refundTypes];
}

async function write(tx: Sql, storeId: string, notes: readonly EventNote[], rule: AttributionRule): Promise<void> {
  const touches = notes.flatMap((note) => toTouch(note) ?? []);
  const orders = notes.filter(({ type }) => rule.conversionTypes.includes(type));
  const refunds = notes.filter(({ type }) => rule.refundTypes.includes(type));
  const isLate = await ordersAfter(tx, storeId, touches);
  await writeTouches(tx, storeId, touches);
  const placed = await writeOrders(
    tx,
    storeId,
    orders.map((note) => ({ ...note, ...readOrder(note) })),
    rule,
  );
  await credit(tx, storeId, [...placed, ...isLate]);
  await writeRefunds(
    tx,
    storeId,
    refunds.map((note) => ({ ...note, ...readRefund(note) })),
    rule,
  );
}

/** Others may record events of these types, too; those of the service name the message. */
function toTouch({ type, profileId, at, messageId }: EventNote): Touch | undefined {
  if (messageId === null || (type !== EMAIL_CLICKED && type !== EMAIL_OPENED)) return undefined;
  return { profileId, at, messageId, kind: type === EMAIL_CLICKED ? 'click' : 'open' };
}
