import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase, SETTINGS_OF_ENGINES, type Sql } from '../../src/db/orm.ts';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { findWork } from '../../src/domain/automations/engine/find-work.ts';
import { Turns } from '../../src/domain/automations/engine/turn.ts';
import { createUndividedDatabase } from '../support/postgres.ts';
import { EngineRoom } from './support/engine-room.ts';

/** Rows of each table of automations, and customers of whom something happens. */
const [ROWS, CUSTOMERS] = [20_000, 4];
/** Blocks of a table, or of an index, that all statements of the engine may touch. Once through the smallest are more. */
const MOST_BLOCKS = 350;

const DEFINITIONS: Partial<Definition>[] = [
  {
    trigger: { type: 'event', event_type: 'asked', max_age: 'P30D' },
    reentry: { mode: 'restart', per: 'profile' },
    exit_on: [{ event_type: 'bought' }],
    goal: { event_type: 'bought', within: 'P30D' },
    steps: [
      {
        id: 'first',
        type: 'branch',
        cases: [{ when: { did: { event_type: 'asked', at_least: 1, within: 'P1D' } }, next: 'set' }],
        else: null,
      },
      { id: 'set', type: 'set_profile', set: { asked: true }, next: 'emit' },
      { id: 'emit', type: 'emit_event', event_type: 'reminded', next: 'wait' },
      {
        id: 'wait',
        type: 'wait',
        for: [{ event_type: 'answered', next: null }],
        timeout: 'P1D',
        on_timeout: null,
      },
    ],
  },
  {
    trigger: { type: 'profile_change', attribute: 'asked' },
    steps: [{ id: 'first', type: 'delay', for: 'PT1H', next: null }],
  },
  {
    trigger: { type: 'date', attribute: 'birthday', repeat: 'yearly', at: '00:00' },
    steps: [{ id: 'first', type: 'exit' }],
  },
];

describe('Statements of the engine, planned while statistics say that all tables are empty', () => {
  let room: EngineRoom;
  let database: Database;
  let db: Sql;

  before(async () => {
    room = await EngineRoom.open(await createUndividedDatabase());
    for (const name of await tablesOf(room.db)) {
      await sql`alter table ${sql.id(name)} set (autovacuum_enabled = off)`.execute(room.db);
    }
    await sql`analyze`.execute(room.db);
    database = await openDatabase(room.service.database.address, 1, SETTINGS_OF_ENGINES);
    db = database.stores.of(room.storeId);
  });
  after(async () => {
    await database.close();
    await room.close();
  });

  it('find their rows by an index of what they look for', async () => {
    // From one o'clock at night on, so that each life passes one midnight, at which the schedule runs.
    const now = new Date(room.tools.now());
    room.pass(`PT${Math.round((new Date(now).setUTCHours(25, 0, 0, 0) - now.getTime()) / 1000)}S`);
    const tomorrow = new Date(room.tools.now() + 86_400_000).toISOString().slice(0, 10);
    const turns = new Turns(room.tools);
    const live = async (customer: string) => {
      for (let n = 0; n < CUSTOMERS; n += 1) {
        await room.upsert(`${customer}${n}@example.com`, { birthday: tomorrow });
        await room.send('asked', `${customer}${n}@example.com`);
        const members = [{ email: `${customer}${n}@example.com` }];
        await room.client.post(`/v1/lists/${list}/members`, { members }, { expect: 200 });
        if (n % 2) await room.send('bought', `${customer}${n}@example.com`);
      }
      for (const next of ['answered', 'asked', 'bought']) {
        room.pass('PT10H');
        await findWork(db, room.tools.now());
        while (await turns.take(db, room.storeId));
        await room.send(next, `${customer}0@example.com`);
        while (await turns.take(db, room.storeId));
      }
    };
    const ids: string[] = [];
    for (const definition of DEFINITIONS) ids.push(await room.publish(definition));
    const { id: list } = (await room.client.post('/v1/lists', { name: 'Weekly' }, { expect: 201 })).body;
    const weekly = { type: 'schedule', list, repeat: 'daily', at: '00:00' } as const;
    const reentry = { mode: 'every_time', per: 'profile' } as const;
    ids.push(await room.publish({ trigger: weekly, reentry, steps: [{ id: 'first', type: 'exit' }] }));
    await live('early');
    for (const id of ids) await room.service.database.query(rowsOf(room.storeId, id));
    const before = await blocksOf(db);
    await live('late');
    const after = await blocksOf(db);
    const touched = [...after].map(([name, blocks]) => ({ name, blocks: blocks - (before.get(name) ?? 0) }));
    expect(touched.find(({ name }) => name === 'automation_run')?.blocks).to.be.above(0);
    expect(touched.filter(({ blocks }) => blocks > MOST_BLOCKS)).to.deep.equal([]);
  });

  it('find a store with very many changes of items by the first of them', async () => {
    const id = await room.publish({
      trigger: { type: 'catalog', change: 'back_in_stock', audience: { subscribed: true } },
      steps: [{ id: 'first', type: 'exit' }],
    });
    await room.service.database.query(`
      insert into automation_audience (
        store_id, id, automation_id, change_id, item_id, kind, changed_at, stage, after_id)
      select '${room.storeId}', uuidv7(), '${id}', uuidv7(), n::text, 'back_in_stock', now() + n * interval '1 s',
        'subscribed', uuidv7()
      from generate_series(1, ${ROWS}) n;
      select pg_stat_force_next_flush()`);
    const blocksOfAudiences = async () =>
      [...(await blocksOf(db))].reduce((sum, [name, n]) => sum + (/^automation_audience/.test(name) ? n : 0), 0);
    const before = await blocksOfAudiences();
    const found = await findWork(db, room.tools.now());
    expect(found.map(({ storeId, kind }) => [storeId, kind])).to.deep.include([room.storeId, 'fill']);
    expect((await blocksOfAudiences()) - before).to.be.within(1, 20);
  });
});

const TABLES = '^automation|^profile_change|^addition|^feed';

async function tablesOf(db: Sql): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables where relname ~ ${TABLES}`.execute(db);
  return rows.map(({ name }) => name);
}

/** How many blocks of each table and index have been touched. */
async function blocksOf(db: Sql): Promise<Map<string, number>> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string; blocks: number }>`
    select indexrelname as name, (idx_blks_hit + idx_blks_read)::float8 as blocks from pg_statio_user_indexes
    where relname ~ ${TABLES}
    union all
    select relname, (heap_blks_hit + heap_blks_read)::float8 from pg_statio_user_tables where relname ~ ${TABLES}`.execute(
    db,
  );
  return new Map(rows.map(({ name, blocks }) => [name, blocks]));
}

/** Very many runs of other customers, and what belongs to them. */
function rowsOf(storeId: string, id: string): string {
  const [store, automation] = [`'${storeId}'::uuid`, `'${id}'::uuid`];
  return `
    with run as materialized (select uuidv7() as id, uuidv7() as profile_id, n from generate_series(1, ${ROWS}) n),
    enrolled as (
      insert into automation_enrolment (store_id, automation_id, profile_id, key, last_started_at, starts)
      select ${store}, ${automation}, profile_id, '', now(), 1 from run
    ), dated as (
      insert into automation_date (store_id, automation_id, profile_id, version, day, due_at)
      select ${store}, ${automation}, profile_id, 1, now() + interval '9 years', now() + interval '9 years' from run
    ), changed as (
      insert into profile_change (store_id, id, profile_id, changes, depth, changed_at)
      select ${store}, id, profile_id, '{}', 0, now() from run
    ), entered as (
      insert into automation_status (store_id, id, automation_id, status, version, changed_at)
      select ${store}, id, ${automation}, 'live', 1, now() from run
    ), counted as (
      insert into automation_count (store_id, automation_id, day, metric, name, count)
      select ${store}, ${automation}, '2020-01-01', 'reached', n::text, 1 from run
    ), added as (
      insert into addition (store_id, xid, first_id, last_id, kind, ids, position)
      select ${store}, '5', id, id, 'profile', array[id], -n from run
    )
    insert into automation_run (
      store_id, id, automation_id, version, profile_id, trigger_id, origin, captured, depth, status, step_id, seq, due_at,
      consumed, attempts, started_at)
    select ${store}, id, ${automation}, 1, profile_id, id::text, '{}', '{}', 0,
      case n % 2 when 0 then 'active' else 'ended' end, 'first', 1, now() + interval '9 years', '{}', 0, now()
    from run;
    select pg_stat_force_next_flush()`;
}
