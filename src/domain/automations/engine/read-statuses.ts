import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
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
      where store_id = ${storeId} and id >= w.id and id <= w.id
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
