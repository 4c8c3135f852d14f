import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase, SETTINGS_OF_ENGINES, type Sql } from '../../src/db/orm.ts';
import { countEventsOf, lookBackAt } from '../../src/domain/automations/stored/history.ts';
import type { HistoryQuestion } from '../../src/domain/conditions/subject.ts';
import { EngineRoom } from './support/engine-room.ts';

const MANY = 60_000;
const MINUTE = 60_000;

describe('The history of a customer of very many events', () => {
  let room: EngineRoom;
  let database: Database;
  let db: Sql;
  let profileId: string;
  const now = Date.now();

  before(async () => {
    room = await EngineRoom.open();
    database = await openDatabase(room.service.database.address, 1, SETTINGS_OF_ENGINES);
    db = database.stores.of(room.storeId);
    profileId = await room.upsert('ada@example.com', {});
    await add('viewed', MANY, 2);
    for (const [n, value] of [30, 20, 10].entries()) await add('ordered', 1, MANY + n, { value });
    await add('clicked', 10_002, 1, { value: 1 });
    await add('opened', 1, 0, { value: 5 });
  });
  after(async () => {
    await database.close();
    await room.close();
  });

  /** Adds events of which each is a minute older than the one before. */
  async function add(type: string, count: number, startingAt: number, properties: object = {}): Promise<void> {
    await sql`
      insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
      select ${room.storeId}, uuidv7(), ${profileId}, ${type}, ${JSON.stringify(properties)}::json,
        ${new Date(now).toISOString()}::timestamptz - (${startingAt}::int + n) * interval '1 minute', now()
      from generate_series(0, ${count}::int - 1) n`.execute(room.db);
  }

  const count = async (question: Partial<HistoryQuestion>) => {
    const whole = { eventType: 'ordered', from: null, to: now, enough: 10_001, profileId, ...question };
    return (await countEventsOf(db, room.storeId, [whole]))[0];
  };
  const hasValue = (value: number) => ({ property: 'value', op: 'gte' as const, value });
  const ages = (minutes: number) => now - (MANY + minutes) * MINUTE;

  it('is counted by type, however many others there are', async () => {
    expect(await count({})).to.equal(3);
    expect(await count({ eventType: 'paid' })).to.equal(0);
    expect(await count({ filter: hasValue(20) })).to.equal(2);
    expect(await count({ measure: { of: 'sum', property: 'value' }, enough: Number.POSITIVE_INFINITY })).to.equal(60);
    expect(await count({ eventType: 'viewed' })).to.equal(10_001);
  });

  it('is counted within a time, both of whose ends belong to it', async () => {
    expect(await count({ from: ages(1) })).to.equal(2);
    expect(await count({ from: ages(1), to: ages(1) })).to.equal(1);
    expect(await count({ to: ages(1) - 1 })).to.equal(1);
  });

  it('is not read to its end where the answer is known before', async () => {
    expect(await count({ eventType: 'clicked', filter: hasValue(1), enough: 3 })).to.equal(3);
    const looked = async (question: Partial<HistoryQuestion>) => {
      const before = await blocks();
      await count(question);
      return (await blocks()) - before;
    };
    expect(await looked({ eventType: 'viewed', enough: 3 })).to.be.below(50);
    expect(await looked({ eventType: 'viewed', filter: { not: hasValue(1) }, enough: 1 })).to.be.below(15_000);
  });

  it('is too long only where more events of the type would have to be read than is allowed', async () => {
    expect(await count({ eventType: 'clicked', filter: hasValue(2) })).to.equal('too_long');
    expect(
      await count({
        eventType: 'clicked',
        measure: { of: 'sum', property: 'value' },
        enough: Number.POSITIVE_INFINITY,
      }),
    ).to.equal('too_long');
  });

  it('leaves one event out that does not count', async () => {
    const { rows } = await sql<{ id: string }>`
      select id from event where store_id = ${room.storeId} and event_type = 'ordered' limit 1`.execute(room.db);
    expect(await count({ except: rows[0]?.id as string })).to.equal(2);
    expect(await count({ except: rows[0]?.id as string, enough: 2 })).to.equal(2);
  });

  it('is looked back at for the first of several types, however many others there are', async () => {
    const question = {
      ...{ runId: '', key: null, except: [], profileId, from: 0 },
      trigger: { at: 0, receivedAt: 0, eventId: null },
    };
    const matches = [{ event_type: 'opened' }, { event_type: 'ordered', filter: hasValue(20) }];
    const [both, one, none] = await lookBackAt(db, room.storeId, [
      { ...question, matches },
      { ...question, matches: matches.slice(0, 1) },
      { ...question, matches: [{ event_type: 'paid' }] },
    ]);
    expect(both).to.deep.include({ eventType: 'ordered', properties: { value: 30 } });
    expect(one).to.deep.include({ eventType: 'opened' });
    expect(none).to.equal(null);
  });

  it('lets the customer into an automation, and a branch of it', async () => {
    const ordered = { did: { event_type: 'ordered', at_least: 3 } };
    const id = await room.publish({
      trigger: { type: 'event', event_type: 'asked' },
      entry_condition: ordered,
      exit_on: [{ event_type: 'paid' }],
      steps: [
        { id: 'first', type: 'branch', cases: [{ when: ordered, next: 'done' }], else: null },
        { id: 'done', type: 'exit', reason: 'done' },
      ],
    });
    await room.send('asked', 'ada@example.com');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'branched', 'ended: exit_step']);
  });

  async function blocks(): Promise<number> {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ n: number }>`
      select sum(heap_blks_hit + heap_blks_read)::float8 as n from pg_statio_user_tables
      where relname like 'event%'`.execute(db);
    return rows[0]?.n as number;
  }
});
