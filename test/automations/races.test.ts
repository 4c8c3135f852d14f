import { expect } from 'chai';
import { sql } from 'kysely';
import { openDatabase, SETTINGS_OF_ENGINES } from '../../src/db/orm.ts';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { readChanges } from '../../src/domain/automations/engine/read-changes.ts';
import { takeDueRuns } from '../../src/domain/automations/engine/take-due-runs.ts';
import { type Enrolled, enrol } from '../../src/domain/automations/enrol.ts';
import { exitRun } from '../../src/domain/automations/run-actions.ts';
import { digestOf, keepAnswer, type Once, Replay } from '../../src/domain/kept-answers.ts';
import { holdRows } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { setStatus } from './support/drafts.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const WAITING: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'asked' },
  reentry: { mode: 'every_time', per: 'profile' },
  exit_on: [{ event_type: 'left' }],
  steps: [
    {
      id: 'first',
      type: 'wait',
      for: [{ event_type: 'answered', next: 'thank' }],
      timeout: 'PT1H',
      on_timeout: 'remind',
    },
    { id: 'thank', type: 'emit_event', event_type: 'thanked', next: null },
    { id: 'remind', type: 'emit_event', event_type: 'reminded', next: null },
  ],
};

/** Timeouts of whoever waits as long as others wait for it, however slow the machine is. */
const PATIENT = { lock_timeout: 0, statement_timeout: 0, query_timeout: 600_000, connectionTimeoutMillis: 60_000 };

describe('Automations under concurrency', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  const countOf = async (type: string): Promise<number> =>
    (await room.client.get(`/v1/events?event_type=${type}`)).body.events.length;
  const atOnce = <Result>(times: number, work: (i: number) => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: times }, (_, i) => work(i)));

  it('take each event once, whoever reads', async () => {
    const id = await room.publish(WAITING);
    await atOnce(40, (i) => room.send('asked', `customer${i % 7}@example.com`));
    for (let round = 0; round < 12; round += 1) {
      await atOnce(4, () => readChanges(room.db, room.storeId, room.tools, 5));
    }
    await room.read();
    expect(await room.runs(id)).to.have.length(40);
  });

  it('take each step once, whoever takes it', async () => {
    await room.publish(WAITING);
    await atOnce(30, (i) => room.send('asked', `customer${i}@example.com`));
    await room.settle();
    room.pass('PT2H');
    for (let round = 0; round < 4; round += 1) {
      await atOnce(4, () => takeDueRuns(room.db, room.storeId, room.tools, 7));
    }
    await room.settle();
    expect(await countOf('reminded')).to.equal(30);
  });

  it('miss no event between a trigger and the wait for it', async () => {
    const id = await room.publish(WAITING);
    await room.send('asked', 'ada@example.com');
    await room.read();
    await room.send('answered', 'ada@example.com');
    // The step looks back before the reader comes to the answer, which must not be used again then.
    await room.step();
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'matched', 'event_emitted', 'ended: completed']);
    expect(await countOf('thanked')).to.equal(1);
  });

  it('decide once between an event and a timeout', async () => {
    const id = await room.publish(WAITING);
    await atOnce(20, (i) => room.send('asked', `customer${i}@example.com`));
    await room.settle();
    room.pass('PT2H');
    await atOnce(20, (i) => room.send('answered', `customer${i}@example.com`));
    await Promise.all([room.read(3), room.step(4), room.read(3)]);
    await room.settle();
    expect(await room.outcomes(id)).to.not.include('timed_out');
    expect([await countOf('thanked'), await countOf('reminded')]).to.deep.equal([20, 0]);
  });

  it('do nothing after an exit that was stored before', async () => {
    const id = await room.publish(WAITING);
    await room.send('asked', 'ada@example.com');
    await room.settle();
    room.pass('PT2H');
    await room.send('left', 'ada@example.com');
    await room.step();
    expect((await room.outcomes(id)).at(-1)).to.equal('ended: exit_event');
    await room.settle();
    expect(await countOf('reminded')).to.equal(0);
  });

  it('go on for customers with very many events, all of which they were told of', async () => {
    const id = await room.publish({ ...WAITING, steps: [...(WAITING.steps ?? [])] });
    await room.send('asked', 'ada@example.com');
    await room.settle();
    await sql`
      insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
      select store_id, uuidv7(), profile_id, 'visited', '{}', now(), now()
      from event cross join generate_series(1, 10001)
      where store_id = ${room.storeId} and event_type = 'asked'`.execute(room.db);
    room.pass('PT2H');
    await room.step();
    expect(await room.outcomes(id)).to.deep.equal([
      ...['started', 'waiting', 'timed_out', 'event_emitted', 'ended: completed'],
    ]);
  });

  it('are stopped at once, whatever their changes and their runs wait for', async () => {
    const id = await room.publish(WAITING);
    const { database } = room.service;
    const [ada, grace] = [await room.upsert('ada@example.com', {}), await room.upsert('grace@example.com', {})];
    await room.send('asked', 'ada@example.com');
    await room.send('asked', 'grace@example.com');
    await room.settle();
    room.pass('PT2H');
    await room.send('left', 'ada@example.com');
    const releases = [
      await holdRows(database, 'automation_run', `profile_id = '${ada}'`),
      await holdRows(database, 'profile', `id = '${grace}'`),
    ];
    const settings = { ...SETTINGS_OF_ENGINES, ...PATIENT };
    const patient = await openDatabase(database.address, 2, settings);
    const reading = readChanges(patient.stores.of(room.storeId), room.storeId, room.tools);
    await until(() => database.isWaiting(), 'changes wait for a run');
    const stepping = takeDueRuns(patient.stores.of(room.storeId), room.storeId, room.tools);
    try {
      for (const status of ['paused', 'live', 'draining', 'archived']) await setStatus(room.client, id, { status });
      expect(await database.isWaiting()).to.equal(true);
    } finally {
      await Promise.all(releases.map((release) => release()));
      await Promise.all([reading, stepping]);
      await patient.close();
    }
    await room.settle();
    const ends = (await room.outcomes(id)).filter((outcome) => outcome.startsWith('ended'));
    expect(ends).to.have.length(2);
  });

  it('end a run once, by a request or by its steps', async () => {
    const id = await room.publish(WAITING);
    await atOnce(10, (i) => room.send('asked', `customer${i}@example.com`));
    await room.settle();
    room.pass('PT2H');
    const { rows } = await sql<{ id: string }>`
      select id from automation_run where store_id = ${room.storeId} and automation_id = ${id}`.execute(room.db);
    await Promise.all([
      room.step(3),
      ...rows.map((run) => exitRun(room.db, room.storeId, run.id, run.id, room.tools.versions)),
    ]);
    const ends = (await room.outcomes(id)).filter((outcome) => outcome.startsWith('ended'));
    expect(ends).to.have.length(10);
    const ended = await room.counts(id);
    expect((ended['ended completed'] ?? 0) + (ended['ended requested'] ?? 0)).to.equal(10);
    expect(await countOf('reminded')).to.equal(ended['ended completed'] ?? 0);
  });

  it('start one run for requests with one key, and no other for customers who may only be in it once', async () => {
    const id = await room.publish({
      trigger: { type: 'manual' },
      steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
    });
    await room.upsert('ada@example.com', {});
    const one = { automationId: id, identifiers: { email: 'ada@example.com' }, properties: {} };
    const request = { storeId: room.storeId, apiKeyId: room.caller.actor.id, operation: 'enrol', key: 'one' };
    const answer = async () => ({ status: 201, body: '{}' });
    const once: Once<Enrolled> = (tx, work) => keepAnswer(tx, { ...request, digest: digestOf(one) }, work, answer);
    const same = await atOnce(8, () =>
      enrol(room.db, room.caller, one, room.tools.versions, once).catch((error) => error),
    );
    expect(same.filter((done) => 'run' in done)).to.have.length(1);
    expect(same.filter((done) => done instanceof Replay)).to.have.length(7);
    const others = await atOnce(4, () => enrol(room.db, room.caller, one, room.tools.versions));
    expect(others.map((one) => 'skipped' in one && one.skipped.reason)).to.deep.equal(Array(4).fill('reentry'));
    expect(await room.runs(id)).to.have.length(1);
  });

  it('let two enrolments that come first at the same time start one run', async () => {
    const id = await room.publish({
      trigger: { type: 'manual' },
      steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
    });
    await room.upsert('ada@example.com', {});
    const one = { automationId: id, identifiers: { email: 'ada@example.com' }, properties: {} };
    const all = await atOnce(6, () => enrol(room.db, room.caller, one, room.tools.versions));
    expect(all.filter((one) => 'run' in one)).to.have.length(1);
    expect(await room.runs(id)).to.have.length(1);
  });

  it('judge what is committed while they are published by one version or the other', async () => {
    const id = await room.publish(WAITING);
    await Promise.all([
      atOnce(30, (i) => room.send('asked', `customer${i}@example.com`)),
      room.publish(WAITING, id),
      room.read(4),
    ]);
    await room.send('asked', 'afterwards@example.com');
    await room.settle();
    const versions = (await room.runs(id)).map(({ version }) => version);
    expect(versions).to.have.length(31);
    expect(versions.at(-1)).to.equal(2);
  });

  it('wait for a transaction that commits last, and take what it has written once', async () => {
    const id = await room.publish(WAITING);
    await room.send('asked', 'first@example.com');
    const slow = room.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('slow'))`.execute(tx);
      await room.send('asked', 'quick@example.com');
      await room.read();
      const { rows } = await sql<{ id: string }>`
        select id from profile where store_id = ${room.storeId} and email = 'first@example.com'`.execute(tx);
      await sql`
        with added as (
          insert into addition (store_id, first_id, last_id, kind, ids)
          select ${room.storeId}, eid, eid, 'event', array[eid] from (select uuidv7() as eid) as e
          returning first_id
        )
        insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
        select ${room.storeId}, first_id, ${rows[0]?.id}, 'asked', '{}', now(), now() from added`.execute(tx);
      await room.send('asked', 'quicker@example.com');
      await room.read();
    });
    await slow;
    await room.settle();
    await room.read();
    expect(await room.runs(id)).to.have.length(4);
  });
});
