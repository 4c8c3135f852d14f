import { type RawBuilder, sql } from 'kysely';
import { integers, uuids } from '../../../db/binary-arrays.ts';
import { rowExactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { hasAliases } from '../../profile-aliases.ts';
import { holdLifecycle } from '../../sweeps/lock.ts';
import { isInAny, nextOfAudience } from '../audience.ts';
import type { CampaignAudience, PinnedVariant } from '../campaign.ts';
import { hasIt } from '../has-it.ts';
import { derivedIds, readBegun } from '../recipients-of.ts';
import type { CampaignTiming } from '../timing.ts';
import { type Split, variantOf } from '../variants/share.ts';
import { atOnce, timed } from './timed.ts';

/** Customers of an audience who are looked at in one statement. */
export const RANGE = 5_000;

/** A campaign that looks for its recipients. */
export interface Preparing extends Split {
  templateId: string;
  templateVersion: number;
  senderId: string;
  channel: string;
  class: string;
  audience: CampaignAudience;
  timing: CampaignTiming | null;
  /** What each variant is sent with; null where everybody gets the same. */
  variants: readonly PinnedVariant[] | null;
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
 * Makes a message for each recipient among the next customers of the audience, in the order of their ids: of a variant, or to
 * wait until one has won; or one that is skipped, for who is held out or whose time is over. Whether they may be sent it is
 * decided, as of any message, when it is claimed. In the caller's transaction, which also notes how far it got: the ids are those
 * of the campaign and the customer, so nobody gets two, whatever is begun anew.
 */
export async function findRecipients(tx: Sql, storeId: string, campaign: Preparing): Promise<RangeDone> {
  const { id, templateId, templateVersion, senderId, channel, audience, step } = campaign;
  const begun = await readBegun(tx, storeId, audience);
  const next = nextOfAudience(storeId, audience, begun, { step, after: campaign.reached }, RANGE);
  if (next === undefined) return { ...NOBODY, isLast: true };
  if (next === 'nobody') return { ...NOBODY, isLast: false };
  // A merge sees both messages of two customers, or has been before either is looked for.
  await holdLifecycle(tx, storeId);
  const lookedAt = campaign.timing === null ? atOnce(next) : await timed(tx, storeId, campaign, campaign.timing, next);
  const hadBefore = (await hasAliases(tx, storeId)) ? wasFoundBefore(storeId, campaign, 'l.profile_id') : sql`false`;
  const variants = campaign.variants ?? [];
  const isRest = variants.length > 0 ? sql`d.drawn = 0` : sql`false`;
  const { rows } = await sql<Omit<RangeDone, 'reached' | 'isLast'> & { last: string | null }>`
    with looked_at as materialized (${lookedAt}), found as (
      insert into message (store_id, id, profile_id, sender_id, template_id, template_version, source, source_id, channel,
        class, variant, status, reason, context, due_at, finished_at, created_at)
      select ${storeId}::uuid, ${derivedIds(campaign, 'l.profile_id')}, l.profile_id,
        coalesce((${uuids(variants.map((one) => one.senderId))}::uuid[])[d.drawn], ${senderId}::uuid),
        coalesce((${uuids(variants.map((one) => one.templateId))}::uuid[])[d.drawn], ${templateId}::uuid),
        coalesce((${integers(variants.map((one) => one.templateVersion))}::int[])[d.drawn], ${templateVersion}::int),
        'campaign', ${id}::uuid, ${channel}, ${campaign.class}, nullif(d.drawn, 0),
        case when d.reason is null then 'waiting' else 'skipped' end, d.reason, '{"data":{},"event":null}'::jsonb,
        case when d.reason is not null then null when ${isRest} then 'infinity' else l.due_at end,
        case when d.reason is not null then now() end, now()
      from looked_at l
      cross join lateral (
        select v.drawn, case when v.drawn is null then 'hold_out' else l.reason end as reason
        from (select ${variantOf(campaign, 'l.profile_id')}::int as drawn) v
      ) d
      where l.is_member and not ${isInAny(storeId, audience.not, begun, 'l.profile_id')} and not ${hadBefore}
      -- Who was found in another place already has one.
      ${step === 0 ? sql`` : sql`on conflict (store_id, id) do nothing`}
      returning profile_id
    )
    select (select count(*) from found)::int as found, ${countOf('none')} as "withoutZone", ${countOf('unknown')} as "unknownZone",
      (select place from looked_at order by place desc limit 1) as last`.execute(tx);
  const [{ last, ...done }] = rows as [(typeof rows)[number]];
  return { ...done, reached: last ?? undefined, isLast: false };
}

/** Whether somebody who was merged into the customer of a column meanwhile was found, and has the campaign. */
function wasFoundBefore(storeId: string, campaign: Preparing, column: string): RawBuilder<unknown> {
  return sql`exists (
    select from profile_alias a
    cross join lateral (select ${derivedIds(campaign, 'a.id')} as id) w
    cross join lateral ${rowExactly('message', storeId, 'w.id')} m
    where a.store_id = ${storeId} and a.profile_id = ${sql.ref(column)} and ${hasIt('m')})`;
}

function countOf(zone: 'none' | 'unknown'): RawBuilder<unknown> {
  return sql`(
    select count(*) from looked_at where zone = ${zone} and profile_id in (select profile_id from found)
  )::int`;
}
