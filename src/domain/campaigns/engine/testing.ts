/** The test of a campaign: some try its variants, and the rest wait at no time until one has won. */
import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import { durationMs } from '../../time/duration.ts';
import type { Campaign, CampaignTest, PinnedVariant, Verdict } from '../campaign.ts';
import { MAX_COUNTED_AT_ONCE, readCounts } from '../counting/count.ts';
import { countOrders, variantsOf } from '../variants/count-variants.ts';
import { decide } from '../variants/verdict.ts';
import { type Change, nextOpen } from './messages.ts';

/** What of the rest waits is no part of the test. */
export const IS_REST = sql`variant is null`;
/** Those of the test that nobody has tried to send yet. */
export const IS_UNTRIED = sql`variant is not null and attempt = 0`;

/** A campaign whose test is not decided. */
export type Tested = Campaign & { startedAt: Date; test: CampaignTest };

export function isTested(campaign: Campaign & { startedAt: Date }): campaign is Tested {
  return campaign.test !== null && campaign.verdict === null;
}

/** What was put aside goes on, but for the rest, which waits for the winner. */
export const RELEASE_TESTED: Change = {
  where: sql`due_at = 'infinity' and not ${IS_REST}`,
  set: sql`due_at = now()`,
};

/** What was put aside goes on, the rest as the winner. */
export function releaseWith({ templateId, templateVersion, senderId }: PinnedVariant): Change {
  const as = (winner: ReturnType<typeof sql>, own: string) =>
    sql`case when ${IS_REST} then ${winner} else ${sql.ref(own)} end`;
  return {
    where: sql`due_at = 'infinity'`,
    set: sql`due_at = now(), template_id = ${as(sql`${templateId}::uuid`, 'm.template_id')},
      template_version = ${as(sql`${templateVersion}::int`, 'm.template_version')},
      sender_id = ${as(sql`${senderId}::uuid`, 'm.sender_id')}`,
  };
}

type Changes = ReturnType<typeof sql>;

/** What is to be noted of a campaign whose test is decided: the rest is let go on. */
export function decided(verdict: Verdict, winner: number): Changes {
  return sql`verdict = ${verdict}, winner = ${winner}, decided_at = now(), has_parked = true, settled = default`;
}

/**
 * Returns what is to be noted of a campaign that has found all its recipients: how far its test is, or what it came to. In a
 * transaction that holds the campaign. `lookS`: seconds until it is looked at again while messages are tried.
 */
export async function takeTestFurther(
  tx: Sql,
  storeId: string,
  campaign: Tested & { settled: string },
  lookS: number,
): Promise<Changes> {
  const { test, testedAt, settled } = campaign;
  const after = sql`make_interval(secs => ${durationMs(test.after) / 1000}::float8)`;
  const looksAgain = sql`due_at = now() + make_interval(secs => ${lookS})`;
  if (!testedAt) {
    const found = await nextOpen(tx, storeId, campaign, settled, IS_UNTRIED);
    if (found && 'from' in found) return sql`settled = ${found.from}`;
    if (found) {
      const { id, isParked } = found.open;
      // One that is still put aside was held by somebody else as the others were let go on.
      return sql`settled = ${id}, has_parked = has_parked or ${isParked}, ${looksAgain}`;
    }
    if (!(await hasRest(tx, storeId, campaign))) {
      return sql`tested_at = now(), decided_at = now(), verdict = 'no_rest', settled = default`;
    }
    return sql`tested_at = now(), settled = default, due_at = now() + ${after}`;
  }
  const dueAt = sql`tested_at + ${after}`;
  const { rows } = await sql<{ isDue: boolean }>`
    select ${dueAt} <= now() as "isDue" from campaign
    where store_id = ${storeId} and id = ${campaign.id}`.execute(tx);
  if (!rows[0]?.isDue) return sql`due_at = ${dueAt}`;
  const { counts, countedAt } = await readCounts(tx, storeId, campaign);
  // Those of a large one may be of a while ago.
  const isLarge = campaign.recipients > MAX_COUNTED_AT_ONCE;
  const since = Math.max(testedAt.getTime() + durationMs(test.after), campaign.updatedAt.getTime());
  if (countedAt === null || (isLarge && countedAt.getTime() < since)) return looksAgain;
  const variants = variantsOf(test, counts, await countOrders(tx, storeId, campaign.id));
  const decision = decide(variants, test.decideBy, test.ifUnclear);
  if (decision.verdict !== null) {
    return sql`${decided(decision.verdict, decision.winner)}, changed = default, updated_at = now()`;
  }
  return sql`
    status = 'paused', reason = ${decision.reason}, has_parked = true, changed = default, due_at = now(), updated_at = now()`;
}

/** Where there is one, it is most of the messages, and found at once. */
async function hasRest(tx: Sql, storeId: string, campaign: Tested): Promise<boolean> {
  let from = campaign.test.percent === 100 ? undefined : LOWEST_ID;
  while (from !== undefined) {
    const found = await nextOpen(tx, storeId, campaign, from, IS_REST);
    if (found && 'open' in found) return true;
    from = found?.from;
  }
  return false;
}
