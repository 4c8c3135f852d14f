import { expect } from 'chai';
import { singleFlight } from '../../src/concurrency/single-flight.ts';
import { until } from '../support/process.ts';
import { rejectionOf } from '../support/turns.ts';

/** Longer than any test; where one fails, what still waits keeps mocha from ending for as long. */
const LONG = 30_000;

describe('work in a single flight', () => {
  it('is done once for all who ask while it is under way', async () => {
    let calls = 0;
    const { promise, resolve } = Promise.withResolvers<string>();
    const ask = singleFlight(LONG, () => {
      calls += 1;
      return promise;
    });
    const answers = [ask(), ask(), ask()];
    resolve('done');
    expect(await Promise.all(answers)).to.deep.equal(['done', 'done', 'done']);
    expect(calls).to.equal(1);
  });

  it('is not begun before somebody asks', () => {
    let calls = 0;
    singleFlight(LONG, async () => {
      calls += 1;
    });
    expect(calls).to.equal(0);
  });

  it('has its result for those who ask soon after it, and is done anew for those who ask later', async () => {
    let calls = 0;
    const soon = singleFlight(LONG, async () => ++calls);
    await soon();
    expect([await soon(), await soon()]).to.deep.equal([1, 1]);
    calls = 0;
    const later = singleFlight(1, async () => ++calls);
    await until(async () => (await later()) >= 3, 'it was done three times');
  });

  it('lasts as long as it takes: the time for its result begins when it is done', async () => {
    let calls = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const ask = singleFlight(1, () => {
      calls += 1;
      return promise;
    });
    const first = ask();
    await new Promise((done) => setTimeout(done, 30));
    const second = ask();
    resolve();
    await Promise.all([first, second]);
    expect(calls).to.equal(1);
  });

  it('fails for all who wait for it, and is tried anew for those who ask later', async () => {
    let calls = 0;
    const failure = new Error('broken');
    const ask = singleFlight(1, async () => {
      calls += 1;
      if (calls === 1) throw failure;
      return 'done';
    });
    const both = [rejectionOf(ask()), rejectionOf(ask())];
    expect(await Promise.all(both)).to.deep.equal([failure, failure]);
    await until(
      () =>
        ask().then(
          (answer) => answer === 'done',
          () => false,
        ),
      'it succeeds',
    );
  });
});
