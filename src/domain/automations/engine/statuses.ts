import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { nextUnread, type ReaderName } from '../../feed/readers.ts';
import type { AutomationStatus } from '../core/machine/automation.ts';

/** A change of an automation's status, or of its version. */
export interface StatusChange {
  id: string;
  automationId: string;
  status: AutomationStatus;
  version: number | null;
}

/** Returns changes by id, in the order of the ids that are asked for. */
export async function readStatuses(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, StatusChange>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<StatusChange>`
    select s.id, s.automation_id as "automationId", s.status, s.version
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (
      select * from automation_status
      where store_id = ${storeId} and ${exactly('id', 'w.id')}
      order by id
      limit 1
    ) s`.execute(tx);
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id) as StatusChange]] : [])));
}

/** Where the reader is now, automations have what they were last said to have. */
export async function moveStatuses(tx: Sql, storeId: string, statuses: readonly StatusChange[]): Promise<void> {
  const last = [...new Map(statuses.map((status) => [status.automationId, status])).values()];
  if (last.length === 0) return;
  await sql`
    update automation a set read_status = w.status, read_version = w.version::int
    from unnest(
      ${uuids(last.map(({ automationId }) => automationId))}::uuid[],
      ${texts(last.map(({ status }) => status))}::text[],
      ${texts(last.map(({ version }) => (version === null ? null : String(version))))}::text[])
      as w (id, status, version)
    where a.store_id = ${storeId} and a.id = w.id`.execute(tx);
}

/**
 * Gives automations the statuses whose entries in the change feed were deleted unread, as events after them are judged by
 * those; all there are where the feed begins anew. Notes that runs were not told of all that may concern them; `now` is in
 * milliseconds.
 */
export async function readMissedStatuses(tx: Sql, { storeId, name }: ReaderName, now: number): Promise<void> {
  await sql`
    update feed_reader set since = ${new Date(now).toISOString()}::timestamptz
    where store_id = ${storeId} and name = ${name}`.execute(tx);
  await sql`
    with oldest as (
      select coalesce(${nextUnread('added_at')}, 'infinity') as added_at
      from feed_reader r
      where r.store_id = ${storeId} and r.name = ${name}
    )
    update automation a
    set read_status = s.status, read_version = s.version
    from (
      select distinct on (automation_id) automation_id, status, version
      from automation_status, oldest
      where store_id = ${storeId} and changed_at < oldest.added_at
      order by automation_id, id desc
    ) s
    where a.store_id = ${storeId} and a.id = s.automation_id`.execute(tx);
}
