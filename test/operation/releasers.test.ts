import { expect } from 'chai';
import { opening, Releasers } from '../../src/process/releasers.ts';

describe('what was opened', () => {
  const fail = (what: string) => () => {
    throw new Error(what);
  };

  it('is released in reverse order, all of it, and the first failure is told', async () => {
    const released: string[] = [];
    const releasers = new Releasers();
    releasers.push(() => released.push('database'));
    releasers.push(fail('second'));
    releasers.push(() => released.push('redis'));
    releasers.push(async () => fail('first')());
    const failure = await releasers.release().catch((error) => error);
    expect([failure.message, ...released]).to.deep.equal(['first', 'redis', 'database']);
    await releasers.release();
  });

  it('is released where the rest does not open, and the reason of that is told', async () => {
    const released: string[] = [];
    const failure = await opening(async (releasers) => {
      releasers.push(() => released.push('database'));
      releasers.push(fail('release'));
      return fail('no Redis')();
    }).catch((error) => error);
    expect([failure.message, ...released]).to.deep.equal(['no Redis', 'database']);
  });
});
