import { type RawBuilder, sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { valueAt } from '../../conditions/compile-comparison.ts';
import { DueTimes, shareOf } from '../due-times.ts';
import type { CampaignTiming } from '../timing.ts';

/** Characters of what may be the name of a time zone; none is so long. */
const MAX_ZONE = 100;

/** A campaign, and when it was to begin and did, in milliseconds. */
interface Of {
  id: string;
  scheduledAt: number;
  startedAt: number;
}

/** Customers who are looked at, each with the time of their message: now. */
export function atOnce(next: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select n.*, now() as due_at, null::text as reason, null::text as zone from (${next}) n`;
}

/** The same with the time at which each message goes, which the clock of its recipient may say. */
export async function timed(
  tx: Sql,
  storeId: string,
  { id, scheduledAt, startedAt }: Of,
  timing: CampaignTiming,
  next: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ place: string; profileId: string; isMember: boolean; zone: string | null }>`
    select n.place, n.profile_id as "profileId", n.is_member as "isMember", ${zoneValue(storeId, timing)} as zone
    from (${next}) n`.execute(tx);
  const times = new DueTimes(timing, { scheduledAt, startedAt });
  const due = rows.map(({ profileId, zone }) => times.of(zone, shareOf(id, profileId)));
  const hasZones = timing.timeZone?.attribute !== undefined;
  return sql`
    select w.place, w.profile_id, w.is_member = 1 as is_member, w.due_at, w.reason, w.zone from unnest(
      ${uuids(rows.map(({ place }) => place))}::uuid[],
      ${uuids(rows.map(({ profileId }) => profileId))}::uuid[],
      ${integers(rows.map(({ isMember }) => (isMember ? 1 : 0)))}::int[],
      ${timestamps(due.map(({ at }) => new Date(at)))}::timestamptz[],
      ${texts(due.map(({ skipped }) => skipped))}::text[],
      ${texts(due.map(({ zone }) => (hasZones ? zone : null)))}::text[]
    ) as w (place, profile_id, is_member, due_at, reason, zone)`;
}

/** What the profile of `n.profile_id` has for a time zone: null for nothing, an empty text for what is no text. */
export function zoneValue(storeId: string, { timeZone }: Pick<CampaignTiming, 'timeZone'>): RawBuilder<unknown> {
  if (timeZone?.attribute === undefined) return sql`null::text`;
  return sql`(
    select case when jsonb_typeof(z.value) = 'string' then left(z.value #>> '{}', ${MAX_ZONE})
      when jsonb_typeof(z.value) <> 'null' then '' end
    from (
      select ${valueAt(sql`p.attributes`, timeZone.attribute)} as value from profile p
      where p.store_id = ${storeId} and p.id = n.profile_id
      limit 1
    ) z
  )`;
}
