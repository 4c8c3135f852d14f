import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase, SETTINGS_OF_ENGINES, SETTINGS_OF_REQUESTS, type Sql } from '../../src/db/orm.ts';
import { assignAllPositions } from '../../src/domain/feed/positions.ts';
import { listChanges } from '../../src/domain/segments/changes.ts';
import { findDrift } from '../../src/domain/segments/comparison/find-drift.ts';
import { BatchSize } from '../../src/domain/segments/engine/batch-size.ts';
import { buildRange } from '../../src/domain/segments/engine/build.ts';
import { findWork } from '../../src/domain/segments/engine/find-work.ts';
import { GenerationCache } from '../../src/domain/segments/engine/generations.ts';
import { takePostponed } from '../../src/domain/segments/engine/postponed.ts';
import { readChanges } from '../../src/domain/segments/engine/read-changes.ts';
import { takeDue } from '../../src/domain/segments/engine/take-due.ts';
import { WorkCount } from '../../src/domain/segments/engine/work.ts';
import { explainMember } from '../../src/domain/segments/explain.ts';
import { listMembers, segmentsOfProfile } from '../../src/domain/segments/members.ts';
import { statsOf } from '../../src/domain/segments/stats.ts';
import { createLog } from '../../src/process/log.ts';
import { expectFewBlocks } from '../support/blocks.ts';
import { Client } from '../support/client.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

/** Customers with an event, half of whom are in the segment; each has entered it once. */
const CUSTOMERS = 40_000;
/** As it works, and as it reads for requests; on a cluster with plans for what is asked. */
const SETTINGS = { works: SETTINGS_OF_ENGINES, readings: SETTINGS_OF_REQUESTS };
const DEFINITION = { event: { type: 'placed_order', window: { last: '30d' } } };
/** What looks at single events, and at when somebody joined. */
const OF_ONE = (list: string, segment: string) => ({
  any: [
    { occurrence: { which: 'last', event_type: 'placed_order', where: { property: 'total', op: 'gt', value: 50 } } },
    { sequence: { event_type: 'placed_order', followed_by: { event_type: 'refunded', within: 'P1D' } } },
    {
      attribute: 'total',
      op: 'eq',
      value_of: { did: { event_type: 'placed_order', measure: 'first', property: 'total' } },
    },
    { list, for: 'P1D' },
    { segment, joined: { ago: { min: 'P1D', max: 'P2D' } } },
  ],
});
const PAGE = { limit: 20, cursor: undefined };

describe('Statements of segments, beside very many customers', () => {
  let database: TestDatabase;
  /** Keeps no members up to date itself. */
  let service: TestService;
  let client: Client;
  let storeId: string;
  let segmentId: string;
  let profileId: string;
  const opened: Database[] = [];
  const tools = { generations: new GenerationCache(), log: createLog('silent'), work: new WorkCount(), now: Date.now };

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ AUTOMATION_CONCURRENCY: '0' }, database);
    const created = await service.newKey();
    storeId = created.storeId;
    client = new Client(service.url, created.key);
    segmentId = (await client.post<any>('/v1/segments', { name: 'Buyers', definition: DEFINITION }, { expect: 201 }))
      .body.id;
    const { body: list } = await client.post<any>('/v1/lists', { name: 'News' }, { expect: 201 });
    const definition = OF_ONE(list.id, segmentId);
    await client.post('/v1/segments', { name: 'Of one event', definition }, { expect: 201 });
    const { sql: db } = await open(SETTINGS_OF_ENGINES);
    await assignAllPositions(db, storeId);
    while ((await buildRange(db, storeId, tools, 100))?.isMore);
    const tables = `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;
    for (const { name } of await database.query<{ name: string }>(tables)) {
      await database.query(`alter table ${name} set (autovacuum_enabled = off)`);
    }
    await database.query('analyze');
    profileId = (await send()).profile_id;
  });
  after(async () => {
    for (const one of opened) await one.close();
    await service.stop();
  });

  /** What this touches is counted now, rather than when something is measured. */
  async function change(...statements: string[]): Promise<void> {
    await database.query([...statements, 'select pg_stat_force_next_flush()'].join(';'));
  }

  async function open(settings: Parameters<typeof openDatabase>[2]): Promise<Database> {
    const one = await openDatabase(database.url, 1, settings);
    opened.push(one);
    return one;
  }

  const send = async () => {
    const event = { event_type: 'placed_order', profile: { email: 'ada@example.com' } };
    return (await client.post<any>('/v1/events', event, { expect: 201 })).body;
  };
  const follow = async (db: Sql) => {
    await send();
    expect((await readChanges(db, storeId, tools)).progress).to.equal('end');
  };
  const takeOne = async (db: Sql) => {
    await sql`
      insert into segment_due (store_id, profile_id, due_at)
      values (${storeId}, ${profileId}, now() - interval '1 minute')
      on conflict (store_id, profile_id) do update set due_at = excluded.due_at`.execute(db);
    await takeDue(db, storeId, tools);
  };

  const postponeOne = async (db: Sql) => {
    await sql`
      insert into segment_postponed (store_id, profile_id, events, not_before, since, happened)
      values (${storeId}, ${profileId}, 300, now() - interval '1 minute', now(), '[]')
      on conflict (store_id, profile_id) do update set since = now(), happened = '[]'`.execute(db);
    await follow(db);
    await takePostponed(db, storeId, tools, new BatchSize(100));
  };

  const works: Record<string, (db: Sql) => Promise<unknown>> = {
    'follow an event': follow,
    'look at a customer who is due': takeOne,
    'postpone a customer of many events, and look at them': postponeOne,
    'find stores that have something to do': findWork,
    'compare a customer': (db) =>
      db.transaction().execute((tx) =>
        findDrift(tx, storeId, [profileId], {
          ...tools,
          generations: new GenerationCache().reader(),
          left: () => 1_000,
        }),
      ),
  };
  const readings: Record<string, (db: Sql) => Promise<unknown>> = {
    'list members': (db) => listMembers(db, storeId, segmentId, PAGE),
    'list changes': (db) => listChanges(db, storeId, segmentId, PAGE),
    'say why a customer is a member': (db) => explainMember(db, storeId, { id: segmentId, profileId, now: Date.now() }),
    'list the segments of a customer': (db) => segmentsOfProfile(db, storeId, profileId, PAGE),
    'show days': (db) => statsOf(db, storeId, segmentId, { first: 20_000, last: 20_030 }),
  };

  it('touch few rows whatever the statistics say, and whenever they were planned', async () => {
    const all = { works, readings };
    const planned: [Sql, typeof works][] = [];
    for (const name of ['works', 'readings'] as const) {
      for (const mode of ['force_generic_plan', 'auto'] as const) {
        planned.push([(await open({ ...SETTINGS[name], plan_cache_mode: mode })).sql, all[name]]);
      }
    }
    for (const [db, some] of planned) for (const work of Object.values(some)) await work(db);
    await change(...rowsOf(storeId, segmentId));
    for (const [db, some] of planned) await expectFewBlocks(db, some);
    await change('analyze');
    for (const [db, some] of planned) await expectFewBlocks(db, some);
  });
});

function rowsOf(storeId: string, segmentId: string): string[] {
  const customers = `select id, row_number() over (order by id) as n from profile where store_id = '${storeId}'`;
  return [
    `insert into profile (store_id, id, email, attributes, created_at, updated_at)
      select '${storeId}', uuidv7(), 'customer' || n || '@example.com', '{}', now(), now()
      from generate_series(1, ${CUSTOMERS}) n`,
    `insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
      select '${storeId}', uuidv7(), id, 'placed_order', '{}', now(), now() from (${customers}) c`,
    `insert into segment_member (store_id, segment_id, generation, profile_id, entered_at)
      select '${storeId}', '${segmentId}', 1, id, now() from (${customers}) c where n % 2 = 0 on conflict do nothing`,
    `insert into segment_change (store_id, id, segment_id, generation, profile_id, kind, cause, changed_at)
      select '${storeId}', uuidv7(), '${segmentId}', 1, id, 'entered', 'event', now() from (${customers}) c`,
    `insert into segment_due (store_id, profile_id, due_at)
      select '${storeId}', id, now() + interval '30 days' from (${customers}) c on conflict do nothing`,
  ];
}
