import { sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Occasion } from '../core/time/dates.ts';

/** Whose date it is. */
export interface DateRef {
  automationId: string;
  profileId: string;
}

/** When a customer's date is due, worked out by a version. */
export interface StoredDate extends DateRef, Occasion {
  version: number;
}

/** A date stays as it is that a later version has worked out, or that is due: whoever takes it looks whether it holds. */
export async function upsertDates(tx: Sql, storeId: string, dates: readonly StoredDate[], now: number): Promise<void> {
  if (dates.length === 0) return;
  await sql`
    insert into automation_date (store_id, automation_id, profile_id, version, day, due_at)
    select ${storeId}::uuid, automation_id, profile_id, version, day::date, due_at
    from unnest(
      ${uuids(dates.map(({ automationId }) => automationId))}::uuid[],
      ${uuids(dates.map(({ profileId }) => profileId))}::uuid[],
      ${integers(dates.map(({ version }) => version))}::int[],
      ${texts(dates.map(({ day }) => day))}::text[],
      ${timestamps(dates.map(({ dueAt }) => new Date(dueAt)))}::timestamptz[])
      as d (automation_id, profile_id, version, day, due_at)
    order by automation_id, profile_id
    on conflict (store_id, automation_id, profile_id) do update
    set version = excluded.version, day = excluded.day, due_at = excluded.due_at
    where automation_date.version <= excluded.version
      and automation_date.due_at > ${new Date(now).toISOString()}::timestamptz`.execute(tx);
}

/** By default whether they are due or not. */
export async function deleteDates(
  tx: Sql,
  storeId: string,
  dates: readonly DateRef[],
  dueAfter = Number.NEGATIVE_INFINITY,
): Promise<void> {
  if (dates.length === 0) return;
  const after = dueAfter === Number.NEGATIVE_INFINITY ? '-infinity' : new Date(dueAfter).toISOString();
  await sql`
    delete from automation_date d
    using unnest(
      ${uuids(dates.map(({ automationId }) => automationId))}::uuid[],
      ${uuids(dates.map(({ profileId }) => profileId))}::uuid[]) as w (automation_id, profile_id)
    cross join lateral (
      select ctid from automation_date
      where store_id = ${storeId} and automation_id = w.automation_id
        and ${exactly('profile_id', 'w.profile_id')}
      order by profile_id
      limit 1
    ) as found
    where d.store_id = ${storeId} and d.ctid = found.ctid and d.due_at > ${after}::timestamptz`.execute(tx);
}
