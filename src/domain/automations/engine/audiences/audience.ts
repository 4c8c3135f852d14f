import { sql } from 'kysely';
import type { Sql } from '../../../../db/sql.ts';
import { LOWEST_ID } from '../../../../ids/uuid-v7.ts';
import type { AUDIENCE_ACTIVITIES } from '../../core/definition/definition.ts';
import type { StoredItemChange } from './item-change.ts';

/** How customers belong to an audience. */
export type Stage = 'subscribed' | (typeof AUDIENCE_ACTIVITIES)[number];

/** How far an automation has gone through the customers whom a change of an item concerns. */
export interface Audience extends StoredItemChange {
  /** Of the row; `changeId` is that of the change. */
  id: string;
  changeId: string;
  automationId: string;
  /** As the database prints it. */
  changedAt: string;
  stage: Stage;
  afterAt: string | null;
  afterId: string;
  /** Customers who were looked at, and those for whom a run has started. */
  lookedAt: number;
  told: number;
  /** Whether it was found that it is not so any more. */
  isOver: boolean;
}

/** Returns an audience that nobody works on, the oldest; those of paused automations wait. */
export async function lockAudience(tx: Sql, storeId: string): Promise<Audience | undefined> {
  const { rows } = await sql<Audience>`
    select f.id, f.change_id as "changeId", f.automation_id as "automationId", f.item_id as "itemId",
      f.variant_id as "variantId", f.kind, f.currency, f.before::float8 as before, f.after::float8 as after,
      f.changed_at::text as "changedAt", (extract(epoch from f.changed_at) * 1000)::float8 as at, f.stage,
      f.after_at::text as "afterAt", f.after_id as "afterId", f.looked_at as "lookedAt", f.told, f.is_over as "isOver"
    from automation_audience f
    join automation a on a.store_id = ${storeId} and a.id = f.automation_id and a.status <> 'paused'
    where f.store_id = ${storeId}
    order by f.id
    limit 1
    for update of f skip locked`.execute(tx);
  return rows[0];
}

/** How far it has come, and what is known of it now. */
export type Moved = Pick<Audience, 'stage' | 'afterAt' | 'afterId' | 'lookedAt' | 'told' | 'isOver'>;

export async function moveAudience(tx: Sql, storeId: string, id: string, moved: Moved): Promise<void> {
  await sql`
    update automation_audience
    set stage = ${moved.stage}, after_at = ${moved.afterAt}::timestamptz, after_id = ${moved.afterId},
      looked_at = ${moved.lookedAt}, told = ${moved.told}, is_over = ${moved.isOver}
    where store_id = ${storeId} and id = ${id}`.execute(tx);
}

export async function endAudience(tx: Sql, storeId: string, id: string): Promise<void> {
  await sql`delete from automation_audience where store_id = ${storeId} and id = ${id}`.execute(tx);
}

/** Where the customers begin who belong to it in one way. */
export const BEGINNING = { afterAt: null, afterId: LOWEST_ID } as const;
