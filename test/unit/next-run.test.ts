import { expect } from 'chai';
import { nextRun } from '../../src/concurrency/next-run.ts';

describe('The next run of some work', () => {
  it('begins after the call, and is shared by all who call before it begins', async () => {
    const runs: PromiseWithResolvers<number>[] = [];
    const next = nextRun(() => {
      runs.push(Promise.withResolvers<number>());
      return (runs.at(-1) as PromiseWithResolvers<number>).promise;
    });
    const first = next();
    await Promise.resolve();
    const [second, third] = [next(), next()];
    expect(runs).to.have.length(1);
    runs[0]?.resolve(1);
    expect(await first).to.equal(1);
    await new Promise(setImmediate);
    expect(runs).to.have.length(2);
    runs[1]?.resolve(2);
    expect([await second, await third]).to.deep.equal([2, 2]);
  });

  it('happens although the one before has failed', async () => {
    let count = 0;
    const next = nextRun(async () => {
      count += 1;
      if (count === 1) throw new Error('failed');
      return count;
    });
    const [first, second] = [next().catch((error) => error.message), Promise.resolve().then(next)];
    expect([await first, await second]).to.deep.equal(['failed', 2]);
  });
});
