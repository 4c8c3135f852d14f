import { type Database, openDatabase, type Sql } from '../../src/db/orm.ts';
import { countAfter } from '../../src/domain/campaigns/counting/count.ts';
import { findDueCampaigns } from '../../src/domain/campaigns/engine/find-due.ts';
import { changeWaiting, nextOpen, PARK, RELEASE } from '../../src/domain/campaigns/engine/messages.ts';
import { findRecipients } from '../../src/domain/campaigns/engine/recipients.ts';
import { IS_REST, IS_UNTRIED, RELEASE_TESTED, releaseWith } from '../../src/domain/campaigns/engine/testing.ts';
import type { CampaignTiming } from '../../src/domain/campaigns/timing.ts';
import { countOrders } from '../../src/domain/campaigns/variants/count-variants.ts';
import { messageQueues } from '../../src/domain/messages/core/queue.ts';
import { listMessages } from '../../src/domain/messages/read.ts';
import { lockNext } from '../../src/domain/messages/sending/due-messages.ts';
import { HIGHEST_ID, LOWEST_ID, newId } from '../../src/ids/uuid-v7.ts';
import { expectFewBlocksAlways } from '../support/blocks.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { Campaigns } from './support/campaigns.ts';

/** Customers, who are all in a list and a segment, have a message of another campaign, and were merged with somebody. */
const MANY = 60_000;
const TABLES = [
  'attribution',
  'campaign',
  'message',
  'list',
  'list_member',
  'segment',
  'segment_member',
  'profile_alias',
];
const [OURS, THEIRS] = [Date.UTC(2026, 10, 20, 8), Date.UTC(2026, 10, 20, 9)];
const [CAMPAIGN, OTHER] = ['01a1f853-7d20-7a61-8e3c-5f90b2d7c418', '01a1f853-8f40-7b13-a6d5-0c72e94f1b86'];
const PINNED = { subject: null, templateId: OTHER, templateVersion: 1, senderId: OTHER };
const TEST = {
  variants: [{ subject: 'A' }, { subject: 'B' }],
  ...({ percent: 20, decideBy: 'clicks', after: 'PT4H', ifUnclear: 'first' } as const),
};
const TIMING: CampaignTiming = {
  ...{ localTime: '2026-12-01T09:00', timeZone: { attribute: 'time_zone', default: 'UTC' } },
  ...{ past: 'next_day', spread: 'PT1H', hours: null },
};
const SEGMENT = '01a1f848-1a20-7c14-9d3b-6f0e25a8c741';

describe('Statements of campaigns, beside very many messages and members', () => {
  let database: TestDatabase;
  let campaigns: Campaigns;
  let list: string;
  let few: string;
  let opened: Database[] = [];

  // Anew for each try: it fills what it then looks through.
  beforeEach(async () => {
    database = await createUndividedDatabase();
    const service = await TestService.start({ MESSAGE_CONCURRENCY: '0', AUTOMATION_CONCURRENCY: '0' }, database);
    campaigns = await Campaigns.open(service);
    list = await campaigns.list();
    few = await campaigns.list();
    for (const [id, at] of [
      [CAMPAIGN, OURS],
      [OTHER, THEIRS],
    ] as const) {
      await campaigns.shop.query(`
        insert into campaign (store_id, id, name, channel, revision, status, started_at, created_at, updated_at)
        values ('${campaigns.shop.storeId}', '${id}', 'Known', 'email', 1, 'sent', to_timestamp(${at} / 1000.0), now(), now())`);
    }
    for (const name of TABLES) await campaigns.shop.query(`alter table ${name} set (autovacuum_enabled = off)`);
    await campaigns.shop.query('analyze');
    // What it does by itself meanwhile would be counted.
    await service.stopService();
  });
  afterEach(async () => {
    for (const one of opened) await one.close();
    opened = [];
    await database.drop();
  });

  async function open(settings: Parameters<typeof openDatabase>[2]): Promise<Database> {
    const one = await openDatabase(database.url, 1, settings);
    opened.push(one);
    return one;
  }

  const ours = { id: CAMPAIGN, startedAt: new Date(OURS), recipients: MANY };

  /** A few in a small list, of whom none is in the large ones; then nobody any more. */
  async function prepare(db: Sql): Promise<void> {
    const audience = {
      any: [{ kind: 'list', id: few }],
      not: [
        { kind: 'list', id: list },
        { kind: 'segment', id: SEGMENT },
      ],
    } as const;
    const { storeId } = campaigns.shop;
    // Each time another campaign: nobody gets two messages of one.
    const all = { holdOut: 0, test: null, variants: null, timing: null };
    const preparing = { id: newId(), templateId: OTHER, templateVersion: 1, senderId: OTHER, audience, ...all };
    const begun = { startedAt: OURS, scheduledAt: OURS, step: 0, reached: LOWEST_ID };
    const of = { ...preparing, channel: 'email', class: 'marketing', ...begun };
    await findRecipients(db, storeId, of);
    const variants = [PINNED, PINNED];
    // Its messages are not among those that are looked through below.
    const startedAt = OURS - 1;
    await findRecipients(db, storeId, { ...of, id: newId(), startedAt, holdOut: 10, test: TEST, variants });
    // Behind the last of the large ones.
    const behind = { ...of, reached: HIGHEST_ID };
    await findRecipients(db, storeId, { ...behind, audience: { any: audience.not, not: [] } });
  }

  /** The same by the clocks of those few, of whom none is recipient of the others; and the recipients of a small campaign. */
  async function prepareTimed(db: Sql): Promise<void> {
    const { storeId } = campaigns.shop;
    const of = {
      ...{ id: newId(), templateId: OTHER, templateVersion: 1, senderId: OTHER, channel: 'email', class: 'marketing' },
      ...{ holdOut: 0, test: null, variants: null, timing: TIMING },
      ...{ startedAt: OURS - 2, scheduledAt: OURS - 2, step: 0, reached: LOWEST_ID },
    };
    const not = [
      { kind: 'campaign', id: CAMPAIGN, who: 'skipped' },
      { kind: 'campaign', id: OTHER, who: 'non_clickers' },
    ] as const;
    await findRecipients(db, storeId, { ...of, audience: { any: [{ kind: 'list', id: few }], not } });
    await findRecipients(db, storeId, { ...of, step: 1, audience: { any: [not[0]], not } });
  }

  async function putAside(db: Sql): Promise<void> {
    const { storeId } = campaigns.shop;
    for (const one of [PARK, RELEASE]) await changeWaiting(db, storeId, ours, one, LOWEST_ID);
    await nextOpen(db, storeId, ours, LOWEST_ID);
    await listMessages(db, storeId, { campaign: ours, status: 'waiting' }, { limit: 10, cursor: undefined });
  }

  async function takeTestFurther(db: Sql): Promise<void> {
    const { storeId } = campaigns.shop;
    for (const which of [IS_UNTRIED, IS_REST]) await nextOpen(db, storeId, ours, LOWEST_ID, which);
    for (const one of [RELEASE_TESTED, releaseWith(PINNED)]) await changeWaiting(db, storeId, ours, one, LOWEST_ID);
    await countOrders(db, storeId, ours.id);
  }

  /** Among the messages of the campaigns nobody waits. */
  const findNext = (db: Sql) => lockNext(db, campaigns.shop.storeId, OTHER, 3);

  const works: Record<string, (db: Sql) => Promise<unknown>> = {
    'find campaigns that something is to be done for': findDueCampaigns,
    'find the recipients of a campaign': prepare,
    'find those of one with times, and those of one that goes to recipients of others': prepareTimed,
    'find what is to be sent next, where a campaign is at the head of the queue': findNext,
    'count messages': (db) =>
      countAfter(db, campaigns.shop.storeId, { ...ours, ordersUntil: new Date() }, LOWEST_ID, 1_000),
    'look whether much waits besides campaigns': (db) => messageQueues().isFull(db, campaigns.shop.storeId, OTHER),
    'put messages aside, let them go on, and look for those that are open': undone(putAside),
    'look whether a test is over, count its orders, and let the rest go on': undone(takeTestFurther),
  };

  it('touch few rows, with whatever statistics they were planned', async () => {
    await expectFewBlocksAlways(works, {
      open,
      query: (sql) => campaigns.shop.query(sql),
      rows: rowsOf(campaigns.shop.storeId, list, few),
      tables: TABLES,
    });
  });
});

/**
 * The same, rolled back: otherwise, while a transaction of any database lasts, each time finds one more version of what it has
 * changed before.
 */
function undone(work: (db: Sql) => Promise<void>): (db: Sql) => Promise<void> {
  return async (db) => {
    const tx = await db.startTransaction().execute();
    try {
      await work(tx);
    } finally {
      await tx.rollback().execute();
    }
  };
}

/** The other campaign has its messages later in the order of ids, and a few of ours wait. */
function rowsOf(storeId: string, list: string, few: string): string {
  const idOf = (at: number) => `('${at.toString(16).padStart(12, '0')}7000' || '8' || lpad(to_hex(n), 15, '0'))::uuid`;
  return `
    insert into segment (store_id, id, name, definition, revision, generation, last_generation, members, list_ids,
      segment_ids, created_at, updated_at)
    values ('${storeId}', '${SEGMENT}', 'Known', '{}', 1, 1, 1, ${MANY}, '{}', '{}', now(), now());
    with customer as materialized (select n, uuidv7() as id from generate_series(1, ${MANY}) n), listed as (
      insert into list_member (store_id, list_id, profile_id, joined_at, how)
      select '${storeId}', '${list}', id, now(), 'api' from customer
    ), segmented as (
      insert into segment_member (store_id, segment_id, generation, profile_id, entered_at)
      select '${storeId}', '${SEGMENT}', 1, id, now() from customer
    ), merged as (
      insert into profile_alias (store_id, id, profile_id) select '${storeId}', uuidv7(), id from customer
    ), theirs as (
      insert into message (store_id, id, profile_id, sender_id, template_id, template_version, source, source_id, channel,
        class, status, created_at, due_at)
      select '${storeId}', ${idOf(THEIRS)}, id, '${OTHER}', '${OTHER}', 1, 'campaign', '${OTHER}', 'email', 'marketing',
        'waiting', now(), now() from customer
    ), ours as (
      insert into message (store_id, id, profile_id, sender_id, template_id, template_version, source, source_id, channel,
        class, status, created_at, due_at)
      select '${storeId}', ${idOf(OURS)}, id, '${OTHER}', '${OTHER}', 1, 'campaign', '${CAMPAIGN}', 'email', 'marketing',
        'waiting', now(), now() from customer where n <= 5
    )
    insert into list_member (store_id, list_id, profile_id, joined_at, how)
    select '${storeId}', '${few}', uuidv7(), now(), 'api' from generate_series(1, 3)`;
}
