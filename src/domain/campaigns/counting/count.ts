import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import type { MessageStatus } from '../../messages/core/message.ts';
import { idsOfCampaign } from '../../messages/read.ts';
import type { Campaign } from '../campaign.ts';
import { addUpDomains, type DomainCount, domainsOf } from './domains.ts';
import { addUpOrders, countOrdersOf, endOfHoldOut, type OrderCount } from './orders.ts';

/** Recipients up to whom the messages of a campaign are counted when somebody asks; those of others in the background. */
export const MAX_COUNTED_AT_ONCE = 5_000;

/** How many messages have a status, a reason and a variant, and how many of these were opened and clicked. */
export interface MessageCount {
  status: MessageStatus;
  reason: string | null;
  /** From 1; null for those that are no part of a test. */
  variant: number | null;
  count: number;
  opened: number;
  clicked: number;
  machineOpened: number;
  machineClicked: number;
}

/** What is counted of messages. */
export interface Sums {
  counts: readonly MessageCount[];
  domains: readonly DomainCount[];
  /** Of a campaign that holds some out. */
  orders: readonly OrderCount[];
}

export interface Counted extends Sums {
  /** When they were so; null before that was counted first. */
  countedAt: Date | null;
}

/** A campaign whose messages are counted. */
export interface Of {
  id: string;
  startedAt: Date;
  /** Until when orders are compared with those of whoever is held out; null where nobody is. */
  ordersUntil: Date | null;
}

const NOTHING: Sums = { counts: [], domains: [], orders: [] };

/** Returns what became of the messages of a campaign: now, or, of a large one, when they were last counted. */
export async function readCounts(db: Sql, storeId: string, campaign: Campaign): Promise<Counted> {
  const { id, startedAt, recipients } = campaign;
  if (!startedAt) return { ...NOTHING, countedAt: null };
  if (recipients <= MAX_COUNTED_AT_ONCE) {
    const of = { id, startedAt, ordersUntil: await endOfHoldOut(db, storeId, campaign) };
    const { sums } = await countAfter(db, storeId, of, LOWEST_ID, 2 * MAX_COUNTED_AT_ONCE);
    return { ...sums, countedAt: new Date() };
  }
  const { rows } = await sql<{ counts: RawJson | null; counted: number | null }>`
    select counts, (extract(epoch from counted_at) * 1000)::float8 as counted from campaign_count
    where store_id = ${storeId} and campaign_id = ${id}`.execute(db);
  const [{ counts = null, counted = null } = {}] = rows;
  return { ...readSums(counts), countedAt: counted === null ? null : new Date(counted) };
}

/** As they are kept between turns. */
export function readSums(json: RawJson | null): Sums {
  return json?.parse<Sums>() ?? NOTHING;
}

/** Counts the next messages after one, and returns the last of them; undefined if there are no more. */
export async function countAfter(
  db: Sql,
  storeId: string,
  of: Of,
  after: string,
  limit: number,
): Promise<{ sums: Sums; last: string | undefined }> {
  const [lowest, end] = idsOfCampaign(of.startedAt);
  const { rows } = await sql<{ counts: RawJson | null; domains: RawJson | null; last: string | null }>`
    with found as materialized (
      select id, status, reason, variant, address, opened_at, clicked_at, machine_opens, machine_clicks from message
      where store_id = ${storeId} and id >= ${lowest} and id < ${end} and id > ${after} and source_id = ${of.id}
      order by id limit ${limit}
    ), statuses as (
      select status, reason, variant::int as variant, count(*) as count,
        count(*) filter (where opened_at is not null) as opened, count(*) filter (where clicked_at is not null) as clicked,
        count(*) filter (where machine_opens > 0) as "machineOpened",
        count(*) filter (where machine_clicks > 0) as "machineClicked"
      from found
      group by status, reason, variant
    ), domains as (${domainsOf(sql`found`)})
    select (select json_agg(statuses) from statuses) as counts, (select json_agg(domains) from domains) as domains,
      (select id from found order by id desc limit 1) as last`.execute(db);
  const [{ counts = null, domains = null, last = null } = {}] = rows;
  const sums = {
    counts: counts?.parse<MessageCount[]>() ?? [],
    domains: addUpDomains(domains?.parse<DomainCount[]>() ?? []),
    orders: last !== null && of.ordersUntil ? await countOrdersOf(db, storeId, of, [after, last], limit) : [],
  };
  return { sums, last: last ?? undefined };
}

/** Adds up what was counted of different messages. */
export function addUp(...all: readonly Sums[]): Sums {
  return {
    counts: addUpCounts(all.flatMap(({ counts }) => counts)),
    domains: addUpDomains(all.flatMap(({ domains }) => domains)),
    orders: addUpOrders(all.flatMap(({ orders }) => orders)),
  };
}

const NUMBERS = ['count', 'opened', 'clicked', 'machineOpened', 'machineClicked'] as const;

function addUpCounts(all: readonly MessageCount[]): MessageCount[] {
  const sums = new Map<string, MessageCount>();
  for (const one of all) {
    const key = JSON.stringify([one.status, one.reason, one.variant]);
    const sum = sums.get(key);
    if (!sum) {
      sums.set(key, { ...one });
      continue;
    }
    for (const name of NUMBERS) sum[name] += one[name];
  }
  return [...sums.values()];
}
