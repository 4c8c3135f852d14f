import { expect } from 'chai';
import { sql } from 'kysely';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { until } from '../support/process.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const on = (event_type: string): Partial<Definition> => ({
  trigger: { type: 'event', event_type },
  reentry: { mode: 'every_time', per: 'profile' },
  steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
});

const changeOf = (attribute: string): Partial<Definition> => ({
  ...on('any'),
  trigger: { type: 'profile_change', attribute },
});

/** Connections that wait for a lock. */
const WAITING = sql`(
  select pid from pg_stat_activity
  where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0) as waiting`;

describe('Publications of automations', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  const countWaiting = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from ${WAITING}`.execute(room.db)).rows[0]?.count ?? 0;

  /** Keeps publications from saying what is watched, until the function is called that it returns. */
  async function holdWatch(): Promise<() => Promise<void>> {
    const [held, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = room.db.transaction().execute(async (tx) => {
      await sql`select from automation_watch where store_id = ${room.storeId} for update`.execute(tx);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    return () => {
      held.resolve();
      return holding;
    };
  }

  const versionsOf = async (id: string) => (await room.runs(id)).map(({ version }) => version);

  it('that come one after the other, before anybody reads, have what was committed between them', async () => {
    const id = await room.publish(on('asked'));
    await room.send('asked', 'ada@example.com');
    await room.publish(on('ordered'), id);
    await room.send('ordered', 'ada@example.com');
    await room.publish(on('asked'), id);
    await room.send('asked', 'ada@example.com');
    await room.settle();
    expect(await versionsOf(id)).to.deep.equal([1, 2, 3]);
  });

  it('at the same time have all their attributes watched', async () => {
    await room.publish(changeOf('other'));
    const names = ['a', 'b', 'c'];
    const release = await holdWatch();
    const publishing = names.map((name) => room.publish(changeOf(name)));
    await until(async () => (await countWaiting()) >= names.length, 'all wait');
    await release();
    const ids = await Promise.all(publishing);
    await room.upsert('ada@example.com', Object.fromEntries(names.map((name) => [name, 1])));
    await room.settle();
    expect(await Promise.all(ids.map(versionsOf))).to.deep.equal(names.map(() => [1]));
  });

  it('that fail leave nothing behind of what they would have published', async () => {
    const id = await room.publish(changeOf('tier'));
    const release = await holdWatch();
    const failing = room.publish(changeOf('wrong'), id).then(
      () => 'published',
      () => 'failed',
    );
    await until(async () => (await countWaiting()) === 1, 'it waits');
    await sql`select pg_cancel_backend(pid) from ${WAITING}`.execute(room.db);
    expect(await failing).to.equal('failed');
    await release();
    await room.publish(changeOf('right'), id);
    await room.upsert('ada@example.com', { right: 1 });
    await room.settle();
    expect(await versionsOf(id)).to.deep.equal([2]);
  });

  it('that let more customers in again shut nobody out who was in before', async () => {
    const often: Partial<Definition> = {
      ...on('asked'),
      reentry: { mode: 'every_time', per: 'profile', min_interval: 'PT1S' },
      steps: [{ id: 'first', type: 'exit' }],
    };
    const id = await room.publish(often);
    await room.send('asked', 'ada@example.com');
    await room.settle();
    await room.publish({ ...often, reentry: { mode: 'one_at_a_time', per: 'profile' } }, id);
    await room.send('asked', 'ada@example.com');
    await room.settle();
    expect(await room.skips(id)).to.deep.equal([]);
    expect(await versionsOf(id)).to.deep.equal([1, 2]);
  });
});
