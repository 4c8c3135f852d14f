/** Recipients of another campaign as an audience: by its messages, whose ids are made of the campaign and the customer. */
import { type RawBuilder, sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import { exactly } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import { idsOfCampaign } from '../messages/read.ts';
import type { CampaignAudience, RecipientsOf } from './campaign.ts';

/** When campaigns have begun, null for one that has not, and how many recipients they have; by their ids. */
export type Begun = ReadonlyMap<string, { startedAt: Date | null; recipients: number }>;

export function campaignsNamed(audience: CampaignAudience | null): RecipientsOf[] {
  const named = audience ? [...audience.any, ...audience.not] : [];
  return named.filter((part): part is RecipientsOf => part.kind === 'campaign');
}

/** Of the campaigns that an audience names, those that the store has; with `lock` they stay until the transaction ends. */
export async function readBegun(
  db: Sql,
  storeId: string,
  audience: CampaignAudience | null,
  lock: RawBuilder<unknown> = sql``,
): Promise<Begun> {
  const ids = [...new Set(campaignsNamed(audience).map(({ id }) => id))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; started: number | null; recipients: number }>`
    select id, (extract(epoch from started_at) * 1000)::float8 as started, recipients::float8 as recipients from campaign
    where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])
    order by id ${lock}`.execute(db);
  return new Map(
    rows.map(({ id, started, recipients }) => {
      return [id, { startedAt: started === null ? null : new Date(started), recipients }];
    }),
  );
}

/** Who has opened may be a program, and who has not may have read it all the same: opens are at most. */
const WHO: Record<RecipientsOf['who'], RawBuilder<unknown>> = {
  non_openers: sql`status in ('sent', 'delivered') and opened_at is null and clicked_at is null`,
  non_clickers: sql`status in ('sent', 'delivered') and clicked_at is null`,
  // Who is held out is to get nothing, that the others can be compared with them; who was merged has another message of it.
  skipped: sql`status = 'skipped' and reason not in ('hold_out', 'merged')`,
  failed: sql`status = 'failed'`,
};

/**
 * The next messages of a campaign after one, `limit` at most, whatever became of them: a query of `place`, the message,
 * `profile_id` and `is_member`. They are looked at in the order of their ids, as few may be meant.
 */
export function messagesAfter(
  storeId: string,
  { id, who }: RecipientsOf,
  startedAt: Date,
  after: string,
  limit: number,
): RawBuilder<unknown> {
  const [lowest, end] = idsOfCampaign(startedAt);
  return sql`
    select id as place, profile_id, (${WHO[who]}) and source_id = ${id} as is_member from message
    where store_id = ${storeId} and id > ${after}::uuid and id >= ${lowest} and id < ${end}
    order by id limit ${limit}`;
}

/**
 * Whether the customer of a column is meant: by the id that their message has, if there is one, or that of somebody who was merged
 * into them.
 */
export function isRecipientOf(
  storeId: string,
  { id, who }: RecipientsOf,
  startedAt: Date,
  column: string,
): RawBuilder<unknown> {
  const derived = derivedIds({ id, startedAt: startedAt.getTime() }, 'p.id');
  return sql`(
    select found.is_meant from (
      select ${sql.ref(column)} as id
      union all
      select a.id from profile_alias a where a.store_id = ${storeId} and a.profile_id = ${sql.ref(column)}
    ) p
    cross join lateral (select ${derived} as id) w
    cross join lateral (
      select true as is_meant from message
      where store_id = ${storeId} and ${exactly('id', 'w.id')} and ${WHO[who]}
      order by id limit 1
    ) found
    limit 1
  ) is not null`;
}

/** The same as `derivedId` in src/ids of a campaign and the customer of a column: the ids of its messages. */
export function derivedIds({ id, startedAt }: { id: string; startedAt: number }, column: string): RawBuilder<unknown> {
  const time = startedAt.toString(16).padStart(12, '0');
  const digest = sql`sha256(convert_to(${`${id} `} || ${sql.ref(column)}::text, 'UTF8'))`;
  const hex = sql`encode(${digest}, 'hex')`;
  const variant = sql`substr('89ab', ((get_byte(${digest}, 8) >> 4) & 3) + 1, 1)`;
  return sql`(${`${time}7`} || substr(${hex}, 14, 3) || ${variant} || substr(${hex}, 18, 15))::uuid`;
}
