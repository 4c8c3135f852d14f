import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import { rowsById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import type { ChangeKind } from '../../catalog/changes.ts';
import type { WaitForItem } from '../core/definition/steps.ts';
import { itemChangeKey } from '../core/machine/steps/await-item.ts';
import type { Interest } from './interest.ts';

/** Runs that one statement wakes. */
const AT_ONCE = 2_000;

/** What may come true by a change: what costs less has to be there as well, and of an item with variants only its status changes. */
const MAY_END: Partial<Record<ChangeKind, readonly WaitForItem['catalog'][]>> = {
  back_in_stock: ['back_in_stock', 'price_drop'],
  price_dropped: ['price_drop'],
  published: ['back_in_stock', 'price_drop'],
};

/**
 * Has runs look at the items that they wait for and that have changed: they are due, and go on or wait as before. Whether the
 * item still is as they want it shows when each is taken.
 */
export async function wakeForItems(
  tx: Sql,
  storeId: string,
  awaiting: Interest['awaitingItems'],
  changeIds: readonly string[],
  now: number,
): Promise<void> {
  if (awaiting.length === 0 || changeIds.length === 0) return;
  const { rows } = await sql<{ kind: ChangeKind; itemId: string }>`
    select c.kind, c.item_id as "itemId" from ${rowsById('catalog_change', storeId, changeIds)} c`.execute(tx);
  const keys = new Set(
    rows.flatMap(({ kind, itemId }) => (MAY_END[kind] ?? []).map((one) => itemChangeKey(one, itemId))),
  );
  if (keys.size === 0) return;
  for (const { automationId, stepIds } of awaiting) {
    for (const stepId of stepIds) {
      let after: string | undefined = LOWEST_ID;
      while (after !== undefined) after = await wake(tx, storeId, { automationId, stepId, after }, [...keys], now);
    }
  }
}

/**
 * Returns the last of those that were woken; undefined if there are no more. One that failed waits until it is tried again. Of
 * one that is due somebody may just have looked at the item: it is locked until then, and due once more.
 */
async function wake(
  tx: Sql,
  storeId: string,
  { automationId, stepId, after }: { automationId: string; stepId: string; after: string },
  keys: readonly string[],
  now: number,
): Promise<string | undefined> {
  const at = new Date(now).toISOString();
  const { rows } = await sql<{ last: string | null; count: number }>`
    with waiting as (
      select id, due_at from automation_run
      where store_id = ${storeId} and automation_id = ${automationId} and step_id = ${stepId} and id > ${after}
        and status <> 'ended' and status = 'active' and attempts = 0
        and jsonb_exists_any(waiting -> 'items', ${texts(keys)}::text[])
      order by id
      limit ${AT_ONCE}
      for update
    ), woken as (
      update automation_run set due_at = ${at}::timestamptz
      where store_id = ${storeId} and id = any(array(select id from waiting where due_at > ${at}::timestamptz))
    )
    select max(id::text) as last, count(*)::int as count from waiting`.execute(tx);
  const [found] = rows;
  return found && found.count === AT_ONCE ? (found.last ?? undefined) : undefined;
}
