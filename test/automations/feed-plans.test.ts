import { expect } from 'chai';
import { sql } from 'kysely';
import { openDatabase, SETTINGS_OF_ENGINES, type Sql } from '../../src/db/orm.ts';
import { readChanges } from '../../src/domain/automations/engine/read-changes.ts';
import { createUndividedDatabase } from '../support/postgres.ts';
import { EngineRoom } from './support/engine-room.ts';

/** Entries of two processes in turn, one of whose clocks is ahead, and the events of each. */
const [ENTRIES, EVENTS] = [60, 500];
const ALL = ENTRIES * EVENTS;
/** Customers of the events, one of whom has a run, and runs of others. */
const [CUSTOMERS, RUNS] = [100, 20_000];

describe('Statements that read the change feed for automations', () => {
  let first: EngineRoom;
  let room: EngineRoom;
  let id: string;
  let version: number;

  before(async () => {
    first = await EngineRoom.open(await createUndividedDatabase());
    for (const name of await tablesOf(first.db)) {
      await sql`alter table ${sql.id(name)} set (autovacuum_enabled = off)`.execute(first.db);
    }
    await sql`analyze`.execute(first.db);
    const { rows } = await sql<{ version: number }>`
      select current_setting('server_version_num')::int / 10000 as version`.execute(first.db);
    version = rows[0]?.version ?? 0;
  });
  beforeEach(async () => {
    room = await first.newStore();
    id = await room.publish({
      trigger: { type: 'event', event_type: 'asked' },
      exit_on: [{ event_type: 'bought' }],
      steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
    });
    await room.send('asked', 'ada@example.com');
    await room.settle();
  });
  after(() => first.close());

  /** What reading everything new reads of each table: how often all of it, and how many entries of its indexes. */
  async function readAll(): Promise<Map<string, { whole: number; entries: number }>> {
    const { address } = room.service.database;
    const database = await openDatabase(address, 1, SETTINGS_OF_ENGINES);
    try {
      const db = database.stores.of(room.storeId);
      // One plan for all that follows.
      await readChanges(db, room.storeId, room.tools);
      await seed(db, room.storeId, id);
      const before = await countsOf(db);
      while (await readChanges(db, room.storeId, room.tools));
      const after = await countsOf(db);
      return new Map(
        [...after].map(([table, { whole, entries }]) => {
          const earlier = before.get(table) ?? { whole: 0, entries: 0 };
          return [table, { whole: whole - earlier.whole, entries: entries - earlier.entries }];
        }),
      );
    } finally {
      await database.close();
    }
  }

  const expectFew = (counts: Map<string, { whole: number; entries: number }>) => {
    const sum = (pattern: RegExp, figure: 'whole' | 'entries') =>
      [...counts].reduce((total, [table, one]) => total + (pattern.test(table) ? one[figure] : 0), 0);
    expect(sum(/./, 'whole'), JSON.stringify([...counts])).to.equal(0);
    // Each event once, though the ids of one entry are among those of others; and one more look for a run at the most.
    // Before version 17, Postgres looks for many ids in the order of an index by reading all that are between them.
    expect(sum(/^event_2/, 'entries')).to.be.within(ALL, ALL * (version < 17 ? 3.5 : 1.1));
    expect(sum(/^automation_run$/, 'entries')).to.be.below(ALL / 10);
    expect(sum(/^addition$/, 'entries')).to.be.below(ENTRIES * 100);
  };

  it('find each event by its id, once, where statistics say that all tables are empty', async () => {
    expectFew(await readAll());
    expect((await room.counts(id))['ended exit_event']).to.equal(1);
  });

  it('find each event by its id, once, where statistics are right', async () => {
    await seed(room.db, room.storeId, id);
    await room.read();
    await sql`analyze`.execute(room.db);
    await room.send('asked', 'ada@example.com');
    await room.settle();
    expectFew(await readAll());
    expect((await room.counts(id))['ended exit_event']).to.equal(2);
  });
});

const TABLES = '^automation_run$|^addition$|^event_2';

async function tablesOf(db: Sql): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables where relname ~ ${TABLES}`.execute(db);
  return rows.map(({ name }) => name);
}

async function countsOf(db: Sql): Promise<Map<string, { whole: number; entries: number }>> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ table: string; whole: number; entries: number }>`
    select t.relname as table, t.seq_scan::float8 as whole,
      (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes i where i.relid = t.relid)::float8 as entries
    from pg_stat_user_tables t where t.relname ~ ${TABLES}`.execute(db);
  return new Map(rows.map(({ table, ...counts }) => [table, counts]));
}

/** Stores events of which some are of a type that ends runs, one of them of the customer who has one, and runs of others. */
async function seed(db: Sql, storeId: string, automationId: string): Promise<void> {
  await sql`
    with run as materialized (select uuidv7() as id, uuidv7() as profile_id from generate_series(1, ${RUNS}::int) n)
    insert into automation_run (
      store_id, id, automation_id, version, profile_id, trigger_id, origin, captured, depth, status, step_id, seq, due_at,
      consumed, attempts, started_at)
    select ${storeId}::uuid, id, ${automationId}::uuid, 1, profile_id, id::text, '{}', '{}', 0, 'active', 'first', 1,
      now() + interval '9 years', '{}', 0, now()
    from run`.execute(db);
  await sql`
    with own as (
      select id from profile where store_id = ${storeId}::uuid limit 1
    ), one as materialized (
      select e, i, uuidv7(case e % 2 when 0 then interval '0' else interval '5 s' end) as id
      from generate_series(1, ${EVENTS}::int) i, generate_series(1, ${ENTRIES}::int) e
    ), written as (
      insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
      select ${storeId}::uuid, one.id,
        case when e = 30 and i = 50 then own.id else md5((i % ${CUSTOMERS}::int)::text)::uuid end,
        case when i % 50 = 0 then 'bought' else 'viewed' end, '{}', now(), now()
      from one, own
    )
    insert into addition (store_id, first_id, last_id, kind, ids)
    select ${storeId}::uuid, min(id::text)::uuid, max(id::text)::uuid, 'event', array_agg(id order by i)
    from one group by e`.execute(db);
}
