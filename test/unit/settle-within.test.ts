import { expect } from 'chai';
import { settleWithin } from '../../src/concurrency/settle-within.ts';
import { turns } from '../support/turns.ts';

/** Longer than any test; where one fails, what still waits keeps mocha from ending for as long. */
const LONG = 30_000;

describe('what has to settle within a time', () => {
  it('results in what the work results in', async () => {
    expect(await settleWithin(LONG, Promise.resolve('done'))).to.equal('done');
  });

  it('results in nothing where the work fails', async () => {
    expect(await settleWithin(LONG, Promise.reject(new Error('broken')))).to.equal(undefined);
  });

  it('results in nothing where the work takes longer, even for ever', async () => {
    expect(await settleWithin(1, new Promise(() => {}))).to.equal(undefined);
  });

  it('leaves no rejection unhandled where the work fails later', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', note);
    try {
      const { promise, reject } = Promise.withResolvers<never>();
      await settleWithin(1, promise);
      reject(new Error('broken'));
      await turns();
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.removeListener('unhandledRejection', note);
      for (const other of others) process.on('unhandledRejection', other);
    }
  });

  it('leaves no timer behind that would keep a process from ending', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const before = timers();
    for (let i = 0; i < 20; i += 1) {
      await settleWithin(LONG, Promise.resolve());
      await settleWithin(LONG, Promise.reject(new Error('broken')));
    }
    expect(timers()).to.be.below(before + 20);
  });
});
