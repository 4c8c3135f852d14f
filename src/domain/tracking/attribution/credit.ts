import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';

/**
 * The last touch of one kind before the order `o`, within a number of milliseconds, of a message that is kept. Compared as
 * rows, which leaves a planner with stale statistics no other index than that of the customer.
 */
const lastTouch = (storeId: string, kind: 'click' | 'open', windowMs: string) => sql`(
    select t.kind, t.touched_at, m.id, m.source, m.source_id, m.step_id, m.template_id, m.template_version,
      m.variant
    from message_touch t
    cross join lateral (select * from message where store_id = ${storeId} and id = t.message_id limit 1) m
    where t.store_id = ${storeId}
      and (t.profile_id, t.kind, t.touched_at) <= (o.profile_id, ${sql.lit(kind)}, o.ordered_at)
      and (t.profile_id, t.kind, t.touched_at) >= (
        o.profile_id, ${sql.lit(kind)}, o.ordered_at - make_interval(secs => ${sql.ref(windowMs)} / 1000.0)
      )
    order by t.profile_id desc, t.kind desc, t.touched_at desc, t.message_id desc limit 1
  )`;

/** Credits orders to the message that each is to be credited to, by the windows that it has; opens only where there is no click. */
export async function credit(tx: Sql, storeId: string, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await sql`
    update attribution a
    set touch = c.kind, touched_at = c.touched_at, message_id = c.id, source = c.source, source_id = c.source_id,
      step_id = c.step_id, template_id = c.template_id, template_version = c.template_version, variant = c.variant
    from (
      select o.place, touched.*
      from unnest(${uuids(eventIds)}::uuid[]) as w (event_id)
      cross join lateral (
        select *, ctid as place from attribution
        where store_id = ${storeId} and ${exactly('event_id', 'w.event_id')} order by event_id limit 1
      ) o
      cross join lateral (
        select * from (
          ${lastTouch(storeId, 'click', 'o.click_window_ms')}
          union all
          ${lastTouch(storeId, 'open', 'o.open_window_ms')}
        ) as last
        order by kind limit 1
      ) touched
    ) c
    where a.store_id = ${storeId} and a.ctid = c.place
      and (a.touch, a.touched_at, a.message_id) is distinct from (c.kind, c.touched_at, c.id)`.execute(tx);
}
