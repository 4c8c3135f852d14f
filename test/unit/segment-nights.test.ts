import { expect } from 'chai';
import { findOnEach } from '../../src/db/store-data.ts';
import { addTime, MAX_NIGHT_MS, shareOf } from '../../src/domain/segments/comparison/progress.ts';

describe('The comparison of a night', () => {
  it('covers ten thousand customers, or a thirtieth of a store that has more', () => {
    expect([5, 300_000, 300_001, 12_000_000].map(shareOf)).to.deep.equal([10_000, 10_000, 10_001, 400_000]);
  });

  it('ends once it has taken its time, and the next one goes on from there', () => {
    const at = { first: 'a', after: 'b', left: 500, ms: MAX_NIGHT_MS - 100 };
    expect(addTime(at, 99.4)).to.deep.equal({ ...at, ms: MAX_NIGHT_MS - 1 });
    expect(addTime(at, 100)).to.deep.equal({ ...at, left: 0, ms: MAX_NIGHT_MS });
  });
});

describe('What is found on each part of the data', () => {
  it('may be more than an argument list can have', async () => {
    const part = Array.from({ length: 300_000 }, (_, n) => n);
    const each = async (work: (db: never) => Promise<void>) => {
      await work(undefined as never);
      await work(undefined as never);
    };
    expect((await findOnEach({ each }, async () => part)).length).to.equal(600_000);
  });
});
