import { expect } from 'chai';
import type { Sql } from '../../src/db/sql.ts';
import { onData, Periodic } from '../../src/engine/periodic.ts';
import type { Log } from '../../src/process/log.ts';
import { until } from '../support/process.ts';
import { stateOf } from '../support/turns.ts';

const HOUR_MS = 3_600_000;

describe('What a process does every so often', () => {
  let logged: string[];
  let periodic: Periodic;

  beforeEach(() => {
    logged = [];
    periodic = new Periodic({ warn: (_: object, message: string) => logged.push(message) } as unknown as Log);
  });

  it('is done at the start where that is asked for, and once more at the end', async () => {
    const done: string[] = [];
    const task = (name: string, alsoAt?: 'start' | 'end') => ({
      failure: name,
      everyMs: HOUR_MS,
      alsoAt,
      run: async () => done.push(name),
    });
    await periodic.start(task('check', 'start'), task('sum'), task('flush', 'end'));
    expect(done).to.deep.equal(['check']);
    await periodic.stop();
    expect(done).to.deep.equal(['check', 'flush']);
  });

  it('goes on where a task fails, which the log says once', async () => {
    let runs = 0;
    await periodic.start({
      failure: 'not done',
      everyMs: 1,
      run() {
        runs += 1;
        throw new Error('down');
      },
    });
    await until(() => runs >= 3, 'it is run again and again');
    await periodic.stop();
    expect(logged).to.deep.equal(['not done']);
  });

  it('is stopped at the same time, and waited for', async () => {
    const ends: (() => void)[] = [];
    const slow = () => new Promise<void>((end) => ends.push(end));
    let [fast, isStopping] = [0, false];
    await periodic.start(
      { failure: 'slow', everyMs: 1, run: slow },
      {
        failure: 'fast',
        everyMs: HOUR_MS,
        alsoAt: 'end',
        run: async () => {
          expect(isStopping).to.equal(true);
          fast += 1;
        },
      },
    );
    await until(() => ends.length === 1, 'the slow one is under way');
    isStopping = true;
    const stopped = periodic.stop();
    expect(await stateOf(stopped)).to.equal('pending');
    expect(fast).to.equal(1);
    ends[0]?.();
    await stopped;
  });

  it('has its time for all of the data, or for each part of it', async () => {
    const parts = ['a', 'b'] as unknown as Sql[];
    const stores = {
      async each(work: (db: Sql) => Promise<void>) {
        for (const part of parts) await work(part);
      },
    };
    const endsOf = async (time: { forMs?: number; forMsOfEach?: number }) => {
      const ends: number[] = [];
      const run = async (_: Sql, end: number) => {
        ends.push(end);
        const now = performance.now();
        await until(() => performance.now() > now, 'some of the time has gone');
      };
      await onData(stores, { failure: 'not deleted', everyMs: HOUR_MS, ...time, run }).run();
      return ends as [number, number];
    };
    const [first, second] = await endsOf({ forMs: HOUR_MS });
    expect(second).to.equal(first);
    const [own, next] = await endsOf({ forMsOfEach: HOUR_MS });
    expect(next).to.be.greaterThan(own);
    const forever = Number.POSITIVE_INFINITY;
    expect(await endsOf({})).to.deep.equal([forever, forever]);
  });
});
