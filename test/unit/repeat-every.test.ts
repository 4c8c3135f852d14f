import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { repeatEvery } from '../../src/concurrency/repeat-every.ts';
import { until } from '../support/process.ts';
import { stateOf } from '../support/turns.ts';

describe('what is repeated every so often', () => {
  it('runs again and again', async () => {
    let runs = 0;
    const stop = repeatEvery(1, async () => {
      runs += 1;
    });
    await until(() => runs >= 3, 'it has run three times');
    await stop();
  });

  it('does not run at once, but after the first interval', async () => {
    let runs = 0;
    const stop = repeatEvery(600_000, async () => {
      runs += 1;
    });
    await stop();
    expect(runs).to.equal(0);
  });

  it('does not run twice at once, and goes on when a long run has ended', async () => {
    let runs = 0;
    let end = () => {};
    const stop = repeatEvery(1, async () => {
      runs += 1;
      if (runs === 1) await new Promise<void>((resolve) => (end = resolve));
    });
    await until(() => runs === 1, 'the first run has begun');
    await sleep(30); // in which it would run often
    expect(runs).to.equal(1);
    end();
    await until(() => runs >= 2, 'it runs again');
    await stop();
  });

  it('is over once it is stopped, after the run that is under way', async () => {
    let runs = 0;
    let end = () => {};
    const stop = repeatEvery(1, async () => {
      runs += 1;
      await new Promise<void>((resolve) => (end = resolve));
    });
    await until(() => runs === 1, 'a run has begun');
    const stopped = stop();
    expect(await stateOf(stopped)).to.equal('pending');
    end();
    await stopped;
    await sleep(30); // in which it would run again
    expect(runs).to.equal(1);
  });
});
