import { type RawBuilder, sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Enrolment } from '../core/machine/run.ts';

/** Whose enrolment it is, and in which automation. */
export interface EnrolmentRef {
  automationId: string;
  profileId: string;
  key: string;
}

export interface StoredEnrolment {
  automationId: string;
  profileId: string;
  enrolment: Enrolment;
}

/** Returns those that there are, locked until the end of the transaction. */
export async function lockEnrolments(
  tx: Sql,
  storeId: string,
  refs: readonly EnrolmentRef[],
): Promise<StoredEnrolment[]> {
  if (refs.length === 0) return [];
  const { rows } = await sql<EnrolmentRef & Omit<Enrolment, 'key'>>`
    select e.automation_id as "automationId", e.profile_id as "profileId", e.key, e.active_run_id as "activeRunId",
      e.starts, (extract(epoch from e.last_started_at) * 1000)::float8 as "lastStartedAt"
    from unnest(
      ${uuids(refs.map(({ automationId }) => automationId))}::uuid[],
      ${uuids(refs.map(({ profileId }) => profileId))}::uuid[],
      ${texts(refs.map(({ key }) => key))}::text[]) as w (automation_id, profile_id, key)
    cross join lateral (
      select * from automation_enrolment
      where store_id = ${storeId} and automation_id = w.automation_id and profile_id = w.profile_id and key = w.key
      limit 1
      for update
    ) e`.execute(tx);
  return rows.map(({ automationId, profileId, ...enrolment }) => ({ automationId, profileId, enrolment }));
}

/** One that another transaction has made meanwhile fails with a unique violation, and the caller starts over. */
export function insertEnrolments(storeId: string, enrolments: readonly StoredEnrolment[]): RawBuilder<unknown> {
  return sql`
    insert into automation_enrolment
      (store_id, automation_id, profile_id, key, last_started_at, active_run_id, starts)
    select ${storeId}::uuid, automation_id, profile_id, key, last_started_at, active_run_id::uuid, starts
    from unnest(${columnsOf(enrolments)}) as e (${COLUMNS})
    order by automation_id, profile_id, key collate "C"`;
}

/** Writes enrolments that the transaction has locked. */
export function updateEnrolments(storeId: string, enrolments: readonly StoredEnrolment[]): RawBuilder<unknown> {
  return sql`
    update automation_enrolment e
    set last_started_at = w.last_started_at, active_run_id = w.active_run_id::uuid, starts = w.starts
    from unnest(${columnsOf(enrolments)}) as w (${COLUMNS})
    cross join lateral (
      select ctid from automation_enrolment
      where store_id = ${storeId} and automation_id = w.automation_id and profile_id = w.profile_id and key = w.key
      limit 1
    ) as found
    where e.store_id = ${storeId} and e.ctid = found.ctid`;
}

const COLUMNS = sql`automation_id, profile_id, key, last_started_at, active_run_id, starts`;

function columnsOf(all: readonly StoredEnrolment[]): RawBuilder<unknown> {
  return sql`
    ${uuids(all.map(({ automationId }) => automationId))}::uuid[],
    ${uuids(all.map(({ profileId }) => profileId))}::uuid[],
    ${texts(all.map(({ enrolment }) => enrolment.key))}::text[],
    ${timestamps(all.map(({ enrolment }) => new Date(enrolment.lastStartedAt)))}::timestamptz[],
    ${texts(all.map(({ enrolment }) => enrolment.activeRunId))}::text[],
    ${integers(all.map(({ enrolment }) => enrolment.starts))}::int[]`;
}
