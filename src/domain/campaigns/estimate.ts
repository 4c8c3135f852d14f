import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import { isTimeout } from '../../db/driver-errors.ts';
import { limitStatements } from '../../db/limit-statements.ts';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { membersAfter } from '../audiences/members-after.ts';
import type { AddressDigest } from '../messages/core/address-digest.ts';
import { capsOf } from '../messages/core/caps.ts';
import { reasonToSkip } from '../messages/core/decide.ts';
import type { SkipReason } from '../messages/core/message.ts';
import { readStandingsAlone } from '../messages/core/standings.ts';
import { countProfiles, drawProfiles } from '../reading/draw-profiles.ts';
import { readMessageSettings } from '../senders/message-settings.ts';
import { overloaded } from '../service-error.ts';
import { findTemplate } from '../templates/find-templates.ts';
import { expectAudience, isInAny } from './audience.ts';
import type { Campaign, CampaignAudience } from './campaign.ts';
import { type Begun, messagesAfter, readBegun } from './recipients-of.ts';
import { isHeldOut } from './variants/share.ts';

/** Of so many customers at least who were drawn it is told how many of an audience would be sent a campaign. */
const MIN_DRAWN = 300;

/** Customers who are looked at, at most and of one statement; milliseconds for all of them, and of one statement. */
const [MAX_CUSTOMERS, CHUNK, EVALUATE_MS, STATEMENT_MS] = [20_000, 1_000, 2_000, 1_500];
/** Messages of another campaign of which those that are meant are found one by one. */
const MAX_MESSAGES = 50_000;

export type Exclusion = SkipReason | 'excluded';

export interface CampaignEstimate {
  /** Customers in any of the lists and segments. */
  audience: number;
  included: number;
  /** The others, the most frequent reason first. */
  excluded: { reason: Exclusion; count: number }[];
  /** Customers of the audience who were looked at; `isExact`: these are all. */
  evaluated: number;
  isExact: boolean;
}

/** Whom a campaign would be sent to, of those who were looked at. */
export interface Estimated extends CampaignEstimate {
  includedIds: readonly string[];
}

/**
 * Decides for the customers of an audience, or for some at random where it is large, whether they would be sent a campaign now,
 * as it is decided when messages are taken to be sent. In the caller's transaction. Throws `validation_error` for an audience
 * that can't be told, and `upstream_error` where that takes too long.
 */
export async function estimateCampaign(
  tx: Sql,
  storeId: string,
  campaign: Campaign,
  digestOf: AddressDigest,
): Promise<Estimated> {
  await expectAudience(tx, storeId, campaign.audience, { isAsked: true });
  const audience = campaign.audience as CampaignAudience;
  return await inTime(tx, async () => {
    const begun = await readBegun(tx, storeId, audience);
    const found = await drawAudience(tx, storeId, audience, begun);
    return await evaluate(tx, storeId, { campaign, audience, begun, ...found }, digestOf);
  });
}

/** Does something whose statements, each of which has its time, are too slow where a store is large. Throws `upstream_error`. */
export async function inTime<Result>(tx: Sql, work: () => Promise<Result>): Promise<Result> {
  try {
    await limitStatements(tx, STATEMENT_MS);
    return await work();
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw overloaded('The audience is too large, or the store too busy, to be estimated in time; try again later');
  }
}

/** Customers at random, unless these are all. */
interface Drawn {
  ids: readonly string[];
  size: number;
  isAll: boolean;
}

async function drawAudience(tx: Sql, storeId: string, { any }: CampaignAudience, begun: Begun): Promise<Drawn> {
  const rows = await findAll(tx, storeId, any, begun);
  if (rows && rows.length <= MAX_CUSTOMERS) return { ids: rows.map(({ id }) => id), size: rows.length, isAll: true };
  const { profiles, ids } = await drawProfiles(tx, storeId, await countProfiles(tx, storeId), MAX_CUSTOMERS);
  const { rows: members } = await sql<{ id: string }>`
    select w.id from unnest(${uuids(ids)}::uuid[]) as w (id) where ${isInAny(storeId, any, begun, 'w.id')}`.execute(tx);
  const size = Math.round((profiles * members.length) / Math.max(1, ids.length));
  // Of an audience that is a small part of the store, hardly any are drawn: those that were found tell more.
  const some = rows && members.length < MIN_DRAWN ? rows.slice(0, MAX_CUSTOMERS) : members;
  return { ids: some.map(({ id }) => id), size: Math.max(size, MAX_CUSTOMERS + 1), isAll: false };
}

/** In no order; undefined if they are too many to be found one by one. */
async function findAll(
  tx: Sql,
  storeId: string,
  any: CampaignAudience['any'],
  begun: Begun,
): Promise<{ id: string }[] | undefined> {
  const others = any.filter((part) => part.kind !== 'campaign');
  const campaigns = any.filter((part) => part.kind === 'campaign');
  if (campaigns.some(({ id }) => (begun.get(id)?.recipients ?? 0) > MAX_MESSAGES)) return undefined;
  const each = [
    ...(others.length > 0 ? [membersAfter(storeId, others, LOWEST_ID, MAX_CUSTOMERS + 1)] : []),
    ...campaigns.flatMap((part) => {
      const startedAt = begun.get(part.id)?.startedAt;
      if (!startedAt) return [];
      return sql`select profile_id from (${messagesAfter(storeId, part, startedAt, LOWEST_ID, MAX_MESSAGES)}) a where is_member`;
    }),
  ];
  if (each.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select profile_id as id from (${sql.join(
      each.map((one) => sql`(${one})`),
      sql` union `,
    )}) m
    order by random() limit ${MAX_CUSTOMERS + 1}`.execute(tx);
  return rows;
}

async function evaluate(
  tx: Sql,
  storeId: string,
  {
    campaign,
    audience,
    begun,
    ids,
    size,
    isAll,
  }: Drawn & {
    campaign: Campaign;
    audience: CampaignAudience;
    begun: Begun;
  },
  digestOf: AddressDigest,
): Promise<Estimated> {
  const caps = capsOf(await readMessageSettings(tx, storeId));
  const { channel } = campaign;
  const messageClass = campaign.class ?? (await classOf(tx, storeId, campaign)) ?? 'marketing';
  const counts = new Map<Exclusion, number>();
  const includedIds: string[] = [];
  let evaluated = 0;
  const until = performance.now() + EVALUATE_MS;
  while (evaluated < ids.length && (evaluated === 0 || performance.now() < until)) {
    const chunk = ids.slice(evaluated, evaluated + CHUNK);
    const excluded = await excludedOf(tx, storeId, audience, begun, chunk);
    const asked = chunk.map((id) => ({ id, profileId: id, channel, class: messageClass }));
    const standings = await readStandingsAlone(tx, storeId, asked, caps, digestOf);
    const now = Date.now();
    for (const { profileId } of asked) {
      const reason = excluded.has(profileId)
        ? 'excluded'
        : isHeldOut(campaign, profileId)
          ? 'hold_out'
          : reasonToSkip(messageClass, standings.of({ channel, profileId }), caps, now);
      if (reason === undefined) includedIds.push(profileId);
      else counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    evaluated += chunk.length;
  }
  const isExact = isAll && evaluated === ids.length;
  const scaled = (count: number) => (isExact ? count : Math.round((count * size) / Math.max(1, evaluated)));
  const reasons = [...counts].map(([reason, count]) => ({ reason, count: scaled(count) }));
  return {
    audience: size,
    included: scaled(includedIds.length),
    excluded: reasons.sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1)),
    evaluated,
    isExact,
    includedIds,
  };
}

async function excludedOf(
  tx: Sql,
  storeId: string,
  { not }: CampaignAudience,
  begun: Begun,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (not.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select w.id from unnest(${uuids(ids)}::uuid[]) as w (id) where ${isInAny(storeId, not, begun, 'w.id')}`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Undefined for a campaign that has no template yet. */
async function classOf(tx: Sql, storeId: string, { templateId }: Campaign): Promise<Campaign['class'] | undefined> {
  return templateId === null ? undefined : (await findTemplate(tx, storeId, templateId))?.class;
}
