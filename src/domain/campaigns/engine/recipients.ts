import { type RawBuilder, sql } from 'kysely';
import { integers, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { isInAny, membersAfter } from '../audience.ts';
import type { CampaignAudience, PinnedVariant } from '../campaign.ts';
import { type Split, variantOf } from '../variants/share.ts';

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
  /** What each variant is sent with; null where everybody gets the same. */
  variants: readonly PinnedVariant[] | null;
  /** Milliseconds: that of the ids of its messages. */
  startedAt: number;
  /** The last customer who was looked at. */
  reached: string;
}

export interface RangeDone {
  /** Recipients that were found. */
  found: number;
  /** The last customer who was looked at; undefined if nobody is left. */
  reached: string | undefined;
}

/**
 * Makes a message for each recipient among the next customers of the audience, in the order of their ids: of a variant, or to
 * wait until one has won; or one that is skipped, for who is held out. Whether they may be sent it is decided, as of any message, when it is claimed. In the caller's transaction, which also notes how far it got: the
 * ids are those of the campaign and the customer, so nobody gets two, whatever is begun anew.
 */
export async function findRecipients(tx: Sql, storeId: string, campaign: Preparing): Promise<RangeDone> {
  const { id, templateId, templateVersion, senderId, channel, audience, reached } = campaign;
  const variants = campaign.variants ?? [];
  const isRest = variants.length > 0 ? sql`d.drawn = 0` : sql`false`;
  const { rows } = await sql<{ found: number; last: string | null }>`
    with looked_at as materialized (${membersAfter(storeId, audience.any, reached, RANGE)}), found as (
      insert into message (store_id, id, profile_id, sender_id, template_id, template_version, source, source_id, channel,
        class, variant, status, reason, context, due_at, finished_at, created_at)
      select ${storeId}::uuid, ${derivedIds(campaign, 'l.profile_id')}, l.profile_id,
        coalesce((${uuids(variants.map((one) => one.senderId))}::uuid[])[d.drawn], ${senderId}::uuid),
        coalesce((${uuids(variants.map((one) => one.templateId))}::uuid[])[d.drawn], ${templateId}::uuid),
        coalesce((${integers(variants.map((one) => one.templateVersion))}::int[])[d.drawn], ${templateVersion}::int),
        'campaign', ${id}::uuid, ${channel}, ${campaign.class}, nullif(d.drawn, 0),
        case when d.drawn is null then 'skipped' else 'waiting' end, case when d.drawn is null then 'hold_out' end,
        '{"data":{},"event":null}'::jsonb,
        case when ${isRest} then 'infinity' when d.drawn is not null then now() end,
        case when d.drawn is null then now() end, now()
      from looked_at l
      cross join lateral (select ${variantOf(campaign, 'l.profile_id')}::int as drawn) d
      where not ${isInAny(storeId, audience.not, 'l.profile_id')}
      returning 1
    )
    select (select count(*) from found)::int as found,
      (select profile_id from looked_at order by profile_id desc limit 1) as last`.execute(tx);
  const [{ found, last }] = rows as [(typeof rows)[number]];
  return { found, reached: last ?? undefined };
}

/** The same as `derivedId` in src/ids of the campaign and the customer of a column. */
function derivedIds({ id, startedAt }: Preparing, column: string): RawBuilder<unknown> {
  const time = startedAt.toString(16).padStart(12, '0');
  const digest = sql`sha256(convert_to(${`${id} `} || ${sql.ref(column)}::text, 'UTF8'))`;
  const hex = sql`encode(${digest}, 'hex')`;
  const variant = sql`substr('89ab', ((get_byte(${digest}, 8) >> 4) & 3) + 1, 1)`;
  return sql`(${`${time}7`} || substr(${hex}, 14, 3) || ${variant} || substr(${hex}, 18, 15))::uuid`;
}
