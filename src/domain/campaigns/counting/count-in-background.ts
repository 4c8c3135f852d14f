import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { DataTask } from '../../../engine/periodic.ts';
import { COUNT_EVERY_S } from '../../campaign-counts.ts';
import type { Campaign } from '../campaign.ts';
import { findCampaign } from '../find-campaigns.ts';
import { addUp, countAfter, MAX_COUNTED_AT_ONCE, type MessageCount, readSums, type Sums } from './count.ts';
import { endOfHoldOut } from './orders.ts';

/** Messages that are counted in one statement, and milliseconds of a turn, of which each campaign has one a second. */
const [STEP, TURN_MS] = [5_000, 100];
/** Seconds between two turns of a campaign, at least. */
const PAUSE_S = 0.8;
/** Campaigns that have a turn in a second, and those of one store. */
const [MOST, MOST_OF_STORE] = [100, 5];
/** Seconds between two counts for orders alone, and after which the last ones have been read. */
const [ORDERS_EVERY_S, LAST_ORDERS_S] = [600, 60];

/**
 * Counts the messages of large campaigns, some at a time: over and over while they are sent, and once they are over only after
 * something has changed.
 */
export const COUNT_CAMPAIGNS: DataTask = {
  failure: 'messages of campaigns not counted',
  everyMs: 1_000,
  rows: 'campaign_count where due_at <= now()',
  forMs: 1_000,
  async run(db, until) {
    for (const { storeId, id } of await findDue(db)) {
      await takeTurn(db, storeId, id);
      // At least one has a turn, however long it took to find them.
      if (performance.now() > until) return;
    }
  },
};

/** Has a campaign counted in the background as soon as it is a large one. */
export async function countFromNowOn(
  tx: Sql,
  storeId: string,
  { id, recipients }: Pick<Campaign, 'id' | 'recipients'>,
  more: number,
): Promise<void> {
  if (recipients > MAX_COUNTED_AT_ONCE || recipients + more <= MAX_COUNTED_AT_ONCE) return;
  await sql`
    insert into campaign_count (store_id, campaign_id, due_at) values (${storeId}, ${id}, now())
    on conflict do nothing`.execute(tx);
}

/** Those of each store that have waited longest, the first of each before the second of any. */
async function findDue(db: Sql): Promise<{ storeId: string; id: string }[]> {
  const { rows } = await sql<{ storeId: string; id: string }>`
    select store_id as "storeId", id from (
      select store_id, campaign_id as id, row_number() over (partition by store_id order by due_at) as place
      from campaign_count where due_at <= now()
    ) due
    where place <= ${MOST_OF_STORE}
    order by place, random()
    limit ${MOST}`.execute(db);
  return rows;
}

interface Round {
  reached: string;
  /** Milliseconds; null if none is under way. */
  begun: number | null;
  running: RawJson | null;
}

/**
 * Counts for a while. Others may note meanwhile that something has changed: the row is written last, and what keeps other
 * processes away is another lock.
 */
async function takeTurn(db: Sql, storeId: string, id: string): Promise<void> {
  await beginRound(db, storeId, id);
  await db.transaction().execute(async (tx) => {
    const { rows: locks } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`footfall.campaign_count ${id}`}, 0)) as "isOurs"`.execute(
      tx,
    );
    if (!locks[0]?.isOurs) return;
    const { rows } = await sql<Round>`
      select reached, (extract(epoch from begun_at) * 1000)::float8 as begun, running from campaign_count
      where store_id = ${storeId} and campaign_id = ${id} and due_at <= now()`.execute(tx);
    const campaign = await findCampaign(tx, storeId, id);
    const [round] = rows;
    if (!round || round.begun === null || !campaign?.startedAt) return;
    const ordersUntil = await endOfHoldOut(tx, storeId, campaign);
    const of = { id, startedAt: campaign.startedAt, ordersUntil };
    const found: Sums[] = [readSums(round.running)];
    const until = performance.now() + TURN_MS;
    let last: string | undefined = round.reached;
    while (last !== undefined && performance.now() < until) {
      const some = await countAfter(tx, storeId, of, last, STEP);
      found.push(some.sums);
      last = some.last;
    }
    const sums = addUp(...found);
    const json = sql`${JSON.stringify(sums)}::json`;
    if (last !== undefined) {
      // Other processes do not go on at once.
      const dueAt = sql`clock_timestamp() + make_interval(secs => ${PAUSE_S})`;
      await set(tx, storeId, id, sql`reached = ${last}, running = ${json}, due_at = ${dueAt}`);
      return;
    }
    const changes = campaign.updatedAt.getTime() >= round.begun || isUnderWay(campaign, sums.counts);
    const ordersMayCome = ordersUntil !== null && round.begun <= ordersUntil.getTime() + LAST_ORDERS_S * 1000;
    await set(
      tx,
      storeId,
      id,
      sql`counts = ${json}, counted_at = begun_at, begun_at = null, running = null, reached = default,
        due_at = case when ${changes}::boolean or rounds_left > 0 then now() + make_interval(secs => ${COUNT_EVERY_S})
          when ${ordersMayCome}::boolean then now() + make_interval(secs => ${ORDERS_EVERY_S}) end`,
    );
  });
}

/** By itself, so that what is noted from here on is not forgotten. */
async function beginRound(db: Sql, storeId: string, id: string): Promise<void> {
  await sql`
    update campaign_count set begun_at = now(), rounds_left = greatest(0, rounds_left - 1)
    where store_id = ${storeId} and campaign_id = ${id} and due_at <= now() and begun_at is null`.execute(db);
}

async function set(tx: Sql, storeId: string, id: string, changes: ReturnType<typeof sql>): Promise<void> {
  await sql`update campaign_count set ${changes} where store_id = ${storeId} and campaign_id = ${id}`.execute(tx);
}

/** Whether messages change by themselves. Those of one that is paused wait until somebody resumes it. */
function isUnderWay({ status }: Campaign, counts: readonly MessageCount[]): boolean {
  if (status === 'preparing' || status === 'sending') return true;
  const open = status === 'paused' || status === 'held' ? ['claimed', 'sending'] : ['waiting', 'claimed', 'sending'];
  return counts.some((one) => open.includes(one.status));
}
