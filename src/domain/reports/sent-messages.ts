import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import { isTimeout } from '../../db/driver-errors.ts';
import { limitStatements } from '../../db/limit-statements.ts';
import type { Sql } from '../../db/sql.ts';
import { lowestIdAt } from '../../ids/uuid-v7.ts';
import type { MessageChannel, MessageStatus } from '../messages/core/message.ts';
import { idsOfCampaign } from '../messages/read.ts';
import { type ComparedRange, rangeBefore, spanOf } from '../orders/ranges.ts';
import type { Span } from '../orders/spans.ts';
import { overloaded } from '../service-error.ts';

/** Messages that were handed over, by channel. */
export type SentMessages = Record<MessageChannel, number>;

export interface SentReport {
  totals: SentMessages;
  comparison: { from: string; to: string; totals: SentMessages } | null;
  /** Whether there are more than are counted. */
  isCut: boolean;
}

/** What was handed over, whatever came back later. */
const HANDED_OVER: readonly MessageStatus[] = ['sent', 'delivered', 'bounced', 'complained'];
/** Messages that are looked at, besides those of campaigns whose counts are kept; and how many of these, the newest. */
const [MAX_LOOKED_AT, MAX_CAMPAIGNS] = [100_000, 1_000];
/** It is given up after so long. */
const MAX_MS = 3_000;

/**
 * Counts the messages of a range that were handed over, and those of what it is compared with, by when they were made; those of a
 * campaign by when it began. Throws `upstream_error` if that takes too long.
 */
export async function countSentMessages(db: Sql, storeId: string, range: ComparedRange): Promise<SentReport> {
  try {
    return await db.transaction().execute(async (tx) => {
      await limitStatements(tx, MAX_MS);
      const [span, before] = [spanOf(range), rangeBefore(range)];
      const campaigns = await findCounted(tx, storeId, { from: before?.span.from ?? span.from, to: span.to });
      const { isCut, totals } = await countIn(tx, storeId, span, campaigns);
      const compared = before && (await countIn(tx, storeId, before.span, campaigns));
      return {
        totals,
        comparison: before && compared ? { ...before.days, totals: compared.totals } : null,
        isCut: isCut || compared?.isCut === true,
      };
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw overloaded('These messages take too long to count; ask for a shorter range');
  }
}

async function countIn(
  tx: Sql,
  storeId: string,
  span: Span,
  all: readonly CountedCampaign[],
): Promise<{ totals: SentMessages; isCut: boolean }> {
  const campaigns = all.filter(({ startedAt }) => startedAt >= span.from && startedAt < span.to);
  const { rows } = await sql<{ channel: MessageChannel; sent: number; lookedAt: number }>`
    select channel, count(*) filter (where status = any(${texts(HANDED_OVER)}::text[]))::float8 as sent,
      count(*)::float8 as "lookedAt"
    from (
      select m.channel, m.status
      from ${between(span, campaigns)}
      cross join lateral (
        select channel, status from message
        where store_id = ${storeId} and id >= s.first and id < s.last
        order by store_id, id limit ${MAX_LOOKED_AT + 1}
      ) m
      limit ${MAX_LOOKED_AT + 1}
    ) looked_at
    group by channel`.execute(tx);
  const of = (channel: MessageChannel) =>
    [...campaigns, ...rows].reduce((sum, one) => sum + (one.channel === channel ? one.sent : 0), 0);
  return {
    totals: { email: of('email'), sms: of('sms') },
    isCut: rows.reduce((sum, { lookedAt }) => sum + lookedAt, 0) > MAX_LOOKED_AT,
  };
}

interface CountedCampaign {
  channel: MessageChannel;
  /** In milliseconds. */
  startedAt: number;
  sent: number;
}

/** The large campaigns that began in a span, with what was counted of them last; in the order in which they began. */
async function findCounted(tx: Sql, storeId: string, { from, to }: Span): Promise<CountedCampaign[]> {
  const { rows } = await sql<CountedCampaign>`
    select c.channel, (extract(epoch from c.started_at) * 1000)::float8 as "startedAt",
      coalesce((
        select sum((one ->> 'count')::float8) from json_array_elements(k.counts -> 'counts') one
        where one ->> 'status' = any(${texts(HANDED_OVER)}::text[])
      ), 0) as sent
    from (
      select campaign_id, counts from campaign_count
      where store_id = ${storeId} order by store_id desc, campaign_id desc limit ${MAX_CAMPAIGNS}
    ) k
    cross join lateral (
      select channel, started_at from campaign
      where store_id = ${storeId} and id = k.campaign_id order by id limit 1
    ) c
    where c.started_at >= ${new Date(from)}::timestamptz and c.started_at < ${new Date(to)}::timestamptz
    order by c.started_at`.execute(tx);
  return rows;
}

/** The ids of messages in a span, without those of campaigns, as rows `s` of `first` and `last`. */
function between({ from, to }: Span, campaigns: readonly CountedCampaign[]) {
  const ids = campaigns.map(({ startedAt }) => idsOfCampaign(new Date(startedAt)));
  const firsts = [lowestIdAt(new Date(from)), ...ids.map(([, end]) => end)];
  const lasts = [...ids.map(([lowest]) => lowest), lowestIdAt(new Date(to))];
  return sql`unnest(${uuids(firsts)}::uuid[], ${uuids(lasts)}::uuid[]) as s (first, last)`;
}
