import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import type { Audience, AudienceKind } from '../../conditions/audience.ts';
import type { Occasion } from '../core/time/dates.ts';

/** What has become of a day of a schedule: `late` and what follows it say why not all members have started. */
export type OccurrenceStatus = 'planned' | 'under_way' | 'done' | NotStarted;
export type NotStarted = 'late' | 'paused' | 'stopped' | 'no_members_known';

/** A day of an automation's schedule. */
export interface StoredOccurrence extends Occasion {
  automationId: string;
  /** That planned it. */
  version: number;
  timeZone: string;
  status: OccurrenceStatus;
  audience: Audience;
  afterProfileId: string;
  /** How many members have been looked at. */
  members: number;
  /** Milliseconds; null before, and where it never began. */
  beganAt: number | null;
  endedAt: number | null;
}

export type NewOccurrence = Pick<StoredOccurrence, 'automationId' | 'version' | 'timeZone' | 'audience'> & Occasion;

type Row = Omit<StoredOccurrence, 'audience'> & { audienceKind: AudienceKind; audienceId: string };

const COLUMNS = sql`
  o.automation_id as "automationId", o.day::text as day, (extract(epoch from o.due_at) * 1000)::float8 as "dueAt",
  o.version, o.time_zone as "timeZone", o.status, o.audience_kind as "audienceKind", o.audience_id as "audienceId",
  o.after_profile_id as "afterProfileId", o.members, (extract(epoch from o.began_at) * 1000)::float8 as "beganAt",
  (extract(epoch from o.ended_at) * 1000)::float8 as "endedAt"`;

/** A day that has come already does not come again. */
export async function insertOccurrence(tx: Sql, storeId: string, planned: NewOccurrence): Promise<void> {
  const { automationId, day, dueAt, version, timeZone, audience } = planned;
  await sql`
    insert into automation_occurrence
      (store_id, automation_id, day, due_at, version, time_zone, status, audience_kind, audience_id, after_profile_id)
    values (${storeId}, ${automationId}, ${day}::date, ${new Date(dueAt).toISOString()}::timestamptz, ${version},
      ${timeZone}, 'planned', ${audience.kind}, ${audience.id}, ${LOWEST_ID})
    on conflict (store_id, automation_id, day) do nothing`.execute(tx);
}

/** Returns the last day that has come; undefined if none has. */
export async function lastDay(tx: Sql, storeId: string, automationId: string): Promise<string | undefined> {
  const { rows } = await sql<{ day: string }>`
    select day::text as day from automation_occurrence
    where store_id = ${storeId} and automation_id = ${automationId} and status <> 'planned'
    order by day desc limit 1`.execute(tx);
  return rows[0]?.day;
}

/**
 * `after`: of those that are due later than that moment, in milliseconds; by default of all. Whoever begins one plans the next, so that
 * one is waited for, and deleted too.
 */
export async function deletePlanned(tx: Sql, storeId: string, automationId: string, after?: number): Promise<void> {
  await sql`
    select from automation_occurrence
    where store_id = ${storeId} and automation_id = ${automationId} and status = 'planned'
    for update`.execute(tx);
  await sql`
    delete from automation_occurrence
    where store_id = ${storeId} and automation_id = ${automationId} and status = 'planned'
      ${after === undefined ? sql`` : sql`and due_at > ${time(after)}::timestamptz`}`.execute(tx);
}

/** Has one that has come, and that nobody has begun yet, go by what is planned now; returns whether there is one. */
export async function changeDue(
  tx: Sql,
  storeId: string,
  { automationId, version, timeZone, audience }: Omit<NewOccurrence, keyof Occasion>,
): Promise<boolean> {
  const { rows } = await sql`
    update automation_occurrence
    set version = ${version}, time_zone = ${timeZone}, audience_kind = ${audience.kind}, audience_id = ${audience.id}
    where store_id = ${storeId} and automation_id = ${automationId} and status = 'planned'
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** Returns the days of a schedule before one, the next one to come first. */
export async function readOccurrences(
  db: Sql,
  storeId: string,
  automationId: string,
  { beforeDay = 'infinity', limit }: { beforeDay?: string; limit: number },
): Promise<StoredOccurrence[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from automation_occurrence o
    where o.store_id = ${storeId} and o.automation_id = ${automationId} and o.day < ${beforeDay}::date
    order by o.day desc limit ${limit}`.execute(db);
  return rows.map(fromRow);
}

/**
 * Returns one that is to be begun or gone on with, locked until the end of the transaction; in any order, so that a large
 * list holds up no other schedule. Paused automations begin theirs, to note that nobody starts, and go on with none. `only`: this
 * one, if it is still open.
 */
export async function lockOpenOccurrence(
  tx: Sql,
  storeId: string,
  now: number,
  only?: Pick<StoredOccurrence, 'automationId' | 'day'>,
): Promise<StoredOccurrence | undefined> {
  const { rows } = await sql<Row>`
    select ${COLUMNS}
    from (
      select id, status from automation
      where store_id = ${storeId} and status <> 'draft' ${only ? sql`and id = ${only.automationId}` : sql``}
      order by random()
      limit 1000
    ) a
    cross join lateral (
      select * from automation_occurrence
      where store_id = ${storeId} and automation_id = a.id and ${isOpen(sql`a.status`, now)}
        ${only ? sql`and day = ${only.day}::date` : sql``}
      order by due_at
      limit 1
      for update skip locked
    ) o
    limit 1`.execute(tx);
  return rows[0] && fromRow(rows[0]);
}

/** Of `automation_occurrence`: whether it is to be begun now, or gone on with, by the status of its automation. */
export function isOpen(status: RawBuilder<unknown>, now: number): RawBuilder<unknown> {
  const until = sql`${new Date(now).toISOString()}::timestamptz`;
  return sql`(
    (automation_occurrence.status = 'planned' and due_at <= ${until} and ${status} in ('live', 'paused'))
    or (automation_occurrence.status = 'under_way' and ${status} <> 'paused'))`;
}

/** Writes how far one has come. */
export async function updateOccurrence(
  tx: Sql,
  storeId: string,
  { automationId, day, status, afterProfileId, members, beganAt, endedAt }: StoredOccurrence,
): Promise<void> {
  await sql`
    update automation_occurrence
    set status = ${status}, after_profile_id = ${afterProfileId}, members = ${members}, began_at = ${time(beganAt)}::timestamptz,
      ended_at = ${time(endedAt)}::timestamptz
    where store_id = ${storeId} and automation_id = ${automationId} and day = ${day}::date`.execute(tx);
}

function time(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function fromRow({ audienceKind: kind, audienceId: id, ...row }: Row): StoredOccurrence {
  return { ...row, audience: { kind, id } };
}
