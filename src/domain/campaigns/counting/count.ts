import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import type { MessageStatus } from '../../messages/core/message.ts';
import { idsOfCampaign } from '../../messages/read.ts';
import type { Campaign } from '../campaign.ts';

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

export interface Counted {
  counts: readonly MessageCount[];
  /** When they were so; null before that was counted first. */
  countedAt: Date | null;
}

/** Returns what became of the messages of a campaign: now, or, of a large one, when they were last counted. */
export async function readCounts(db: Sql, storeId: string, campaign: Campaign): Promise<Counted> {
  const { id, startedAt, recipients } = campaign;
  if (!startedAt) return { counts: [], countedAt: null };
  if (recipients <= MAX_COUNTED_AT_ONCE) {
    const { counts } = await countAfter(db, storeId, { id, startedAt }, LOWEST_ID, 2 * MAX_COUNTED_AT_ONCE);
    return { counts, countedAt: new Date() };
  }
  const { rows } = await sql<{ counts: RawJson | null; counted: number | null }>`
    select counts, (extract(epoch from counted_at) * 1000)::float8 as counted from campaign_count
    where store_id = ${storeId} and campaign_id = ${id}`.execute(db);
  const [{ counts = null, counted = null } = {}] = rows;
  return {
    counts: counts?.parse<MessageCount[]>() ?? [],
    countedAt: counted === null ? null : new Date(counted),
  };
}

/** Counts the next messages after one, and returns the last of them; undefined if there are no more. */
export async function countAfter(
  db: Sql,
  storeId: string,
  { id, startedAt }: { id: string; startedAt: Date },
  after: string,
  limit: number,
): Promise<{ counts: MessageCount[]; last: string | undefined }> {
  const [lowest, end] = idsOfCampaign(startedAt);
  const { rows } = await sql<MessageCount & { last: string }>`
    with found as materialized (
      select id, status, reason, variant, opened_at, clicked_at, machine_opens, machine_clicks from message
      where store_id = ${storeId} and id >= ${lowest} and id < ${end} and id > ${after} and source_id = ${id}
      order by id limit ${limit}
    )
    select status, reason, variant::int as variant, count(*)::float8 as count,
      (count(*) filter (where opened_at is not null))::float8 as opened,
      (count(*) filter (where clicked_at is not null))::float8 as clicked,
      (count(*) filter (where machine_opens > 0))::float8 as "machineOpened",
      (count(*) filter (where machine_clicks > 0))::float8 as "machineClicked",
      (select id from found order by id desc limit 1) as last
    from found
    group by status, reason, variant`.execute(db);
  return { counts: rows.map(({ last: _, ...count }) => count), last: rows[0]?.last };
}

const NUMBERS = ['count', 'opened', 'clicked', 'machineOpened', 'machineClicked'] as const;

/** Adds up counts of different messages. */
export function addUp(...all: readonly (readonly MessageCount[])[]): MessageCount[] {
  const sums = new Map<string, MessageCount>();
  for (const one of all.flat()) {
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
