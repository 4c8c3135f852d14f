import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { OLDEST_UNREAD } from '../../feed/readers.ts';
import { READER } from '../stored/automations.ts';
import { isOpen } from '../stored/occurrences.ts';

/** What there is to do: changes to read, runs or dates that are due, dates or
 * members of a new version or of a schedule to go through. */
export type WorkKind = 'changes' | 'runs' | 'dates' | 'fill';

export interface FoundWork {
  storeId: string;
  kind: WorkKind;
  /** Seconds that the oldest has waited. */
  lag: number;
}

/** Finds the stores of one part of the data whose automations have something to do, and nobody has to release first. */
export async function findWork(db: Sql, now: number): Promise<FoundWork[]> {
  const until = sql`${new Date(now).toISOString()}::timestamptz`;
  const { rows } = await sql<FoundWork>`
    with due as (
      select store_id, id, status, case status when 'archived' then 'infinity' else ${until} end as until
      from automation
      where status <> 'draft'
    ), work as (
      select r.store_id, 'changes' as kind, unread.since
      from feed_reader r
      cross join lateral (select ${OLDEST_UNREAD} as since offset 0) unread
      where r.name = ${READER} and unread.since is not null
      union all
      select d.store_id, 'runs', run.due_at
      from due d
      cross join lateral (
        select due_at from automation_run
        where store_id = d.store_id and automation_id = d.id and status = 'active' and due_at <= d.until
        order by due_at limit 1
      ) run
      where d.status in ('live', 'draining', 'archived')
      union all
      select d.store_id, 'dates', date.due_at
      from due d
      cross join lateral (
        select due_at from automation_date
        where store_id = d.store_id and automation_id = d.id and due_at <= ${until}
        order by due_at limit 1
      ) date
      where d.status in ('live', 'paused')
      union all
      select d.store_id, case occurrence.status when 'planned' then 'dates' else 'fill' end,
        case occurrence.status when 'planned' then occurrence.due_at else ${until} end
      from due d
      cross join lateral (
        select status, due_at from automation_occurrence
        where store_id = d.store_id and automation_id = d.id and ${isOpen(sql`d.status`, now)}
        order by due_at limit 1
      ) occurrence
      union all
      select store_id, 'fill', ${until} from automation_date_fill
      union all
      select f.store_id, 'fill', ${until}
      from automation_member_fill f
      join due d on d.store_id = f.store_id and d.id = f.automation_id and d.status <> 'paused'
      union all
      -- As many as changes of items: only the oldest is looked at.
      select s.store_id, 'fill', audience.changed_at
      from (select distinct store_id from due where status <> 'paused') s
      cross join lateral (
        select f.changed_at
        from automation_audience f
        join automation a on a.store_id = s.store_id and a.id = f.automation_id and a.status <> 'paused'
        where f.store_id = s.store_id
        order by f.id
        limit 1
      ) audience
    )
    select store_id as "storeId", kind,
      greatest(0, extract(epoch from ${until} - min(since)))::float8 as lag
    from work
    where not exists (select from automation_hold h where h.store_id = work.store_id)
    group by store_id, kind`.execute(db);
  return rows;
}
