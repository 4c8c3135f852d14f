import { type RawBuilder, sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { valueAt } from '../../conditions/compile-comparison.ts';
import { isInAny, nextOfAudience } from '../audience.ts';
import type { CampaignAudience } from '../campaign.ts';
import { DueTimes, shareOf } from '../due-times.ts';
import { derivedIds, readBegun } from '../recipients-of.ts';
import type { CampaignTiming } from '../timing.ts';

/** Customers of an audience who are looked at in one statement. */
export const RANGE = 5_000;
/** Characters of what may be the name of a time zone; none is so long. */
const MAX_ZONE = 100;

/** A campaign that looks for its recipients. */
export interface Preparing {
  id: string;
  templateId: string;
  templateVersion: number;
  senderId: string;
  channel: string;
  class: string;
  audience: CampaignAudience;
  timing: CampaignTiming | null;
  /** Milliseconds: when it was to begin, and the time of the ids of its messages. */
  scheduledAt: number;
  startedAt: number;
  /** Where it looks: see `nextOfAudience`. */
  step: number;
  /** The last one there that was looked at. */
  reached: string;
}

export interface RangeDone {
  /** Recipients that were found; of them, who has no time zone, and who has what is none. */
  found: number;
  withoutZone: number;
  unknownZone: number;
  /** The last one that was looked at; undefined if nobody is left there. */
  reached: string | undefined;
  /** Whether that was the last place to look at. */
  isLast: boolean;
}

const NOBODY = { found: 0, withoutZone: 0, unknownZone: 0, reached: undefined };

/**
 * Makes a message for each recipient among the next customers of the audience, in the order of their ids. Whether they may be
 * sent it is decided, as of any message, when it is claimed. In the caller's transaction, which also notes how far it got: the
 * ids are those of the campaign and the customer, so nobody gets two, whatever is begun anew.
 */
export async function findRecipients(tx: Sql, storeId: string, campaign: Preparing): Promise<RangeDone> {
  const { id, templateId, templateVersion, senderId, channel, audience, step } = campaign;
  const begun = await readBegun(tx, storeId, audience);
  const next = nextOfAudience(storeId, audience, begun, { step, after: campaign.reached }, RANGE);
  if (next === undefined) return { ...NOBODY, isLast: true };
  if (next === 'nobody') return { ...NOBODY, isLast: false };
  const lookedAt = campaign.timing === null ? atOnce(next) : await timed(tx, storeId, campaign, campaign.timing, next);
  const { rows } = await sql<Omit<RangeDone, 'reached' | 'isLast'> & { last: string | null }>`
    with looked_at as materialized (${lookedAt}), found as (
      insert into message (store_id, id, profile_id, sender_id, template_id, template_version, source, source_id, channel,
        class, status, reason, context, due_at, finished_at, created_at)
      select ${storeId}::uuid, ${derivedIds(campaign, 'l.profile_id')}, l.profile_id, ${senderId}::uuid, ${templateId}::uuid,
        ${templateVersion}::int, 'campaign', ${id}::uuid, ${channel}, ${campaign.class},
        case when l.reason is null then 'waiting' else 'skipped' end, l.reason, '{"data":{},"event":null}'::jsonb,
        case when l.reason is null then l.due_at end, case when l.reason is not null then now() end, now()
      from looked_at l
      where l.is_member and not ${isInAny(storeId, audience.not, begun, 'l.profile_id')}
      -- Who was found in another place already has one.
      ${step === 0 ? sql`` : sql`on conflict (store_id, id) do nothing`}
      returning profile_id
    )
    select (select count(*) from found)::int as found, ${countOf('none')} as "withoutZone", ${countOf('unknown')} as "unknownZone",
      (select place from looked_at order by place desc limit 1) as last`.execute(tx);
  const [{ last, ...done }] = rows as [(typeof rows)[number]];
  return { ...done, reached: last ?? undefined, isLast: false };
}

function countOf(zone: 'none' | 'unknown'): RawBuilder<unknown> {
  return sql`(
    select count(*) from looked_at where zone = ${zone} and profile_id in (select profile_id from found)
  )::int`;
}

function atOnce(next: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select n.*, now() as due_at, null::text as reason, null::text as zone from (${next}) n`;
}

/** The same with the time at which each message goes, which the clock of its recipient may say. */
async function timed(
  tx: Sql,
  storeId: string,
  { id, scheduledAt, startedAt }: Preparing,
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
function zoneValue(storeId: string, { timeZone }: CampaignTiming): RawBuilder<unknown> {
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
