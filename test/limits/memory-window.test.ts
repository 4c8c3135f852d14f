import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryWindow } from '../../src/rate-limit/memory-window.ts';

const WINDOW_MS = 60_000;

describe('The rate-limit window of a process', () => {
  it('admits at most the limit in any 60 s, and refuses no request below it', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), steps, (limit, gaps) => {
        let now = 0;
        const window = new MemoryWindow(() => now);
        const admitted: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const recent = admitted.filter((time) => time > now - WINDOW_MS).length;
          const answer = window.admit('key', limit) as { admitted: boolean; remaining: number };
          expect(answer.admitted).to.equal(recent < limit);
          if (answer.admitted) admitted.push(now);
          expect(answer.remaining).to.equal(answer.admitted ? limit - recent - 1 : 0);
        }
      }),
    );
  });

  it('takes back an admission, and nothing where there is none', () => {
    const window = new MemoryWindow(() => 0);
    const admit = () => (window.admit('key', 2) as { admitted: boolean }).admitted;
    window.takeBack('key');
    expect([admit(), admit(), admit()]).to.deep.equal([true, true, false]);
    window.takeBack('key');
    expect([admit(), admit()]).to.deep.equal([true, false]);
    expect(window.used(['key', 'other'])).to.deep.equal([2, 0]);
  });

  it('returns when the next slot frees: a request is admitted then, but not one second earlier', () => {
    let now = 0;
    const window = new MemoryWindow(() => now);
    const admit = () => window.admit('key', 2) as { admitted: boolean; resetSeconds: number };
    admit();
    now = 10_000;
    admit();
    now = 15_000;
    expect(admit()).to.include({ admitted: false, resetSeconds: 45 });
    now = 59_000;
    expect(admit()).to.include({ admitted: false, resetSeconds: 1 });
    now = 60_000;
    expect(admit()).to.include({ admitted: true, resetSeconds: 10 });
  });

  it('applies a lowered limit: as many requests as exceed it have to leave', () => {
    let now = 0;
    const window = new MemoryWindow(() => now);
    for (now = 0; now < 5_000; now += 1_000) window.admit('key', 5);
    expect(window.admit('key', 2)).to.include({ admitted: false, remaining: 0, resetSeconds: 58 });
  });

  it('returns how much of it is used, without counting that', () => {
    let now = 0;
    const window = new MemoryWindow(() => now);
    for (now = 0; now < 3_000; now += 1_000) window.admit('a', 2);
    window.admit('b', 2);
    for (const _ of [1, 2]) expect(window.used(['b', 'nothing', 'a'])).to.deep.equal([1, 0, 2]);
    now = WINDOW_MS;
    expect(window.used(['a', 'b'])).to.deep.equal([1, 1]);
  });

  it('is separate for each subject', () => {
    const window = new MemoryWindow(() => 0);
    expect(window.admit('a', 1)).to.include({ admitted: true });
    expect(window.admit('a', 1)).to.include({ admitted: false });
    expect(window.admit('b', 1)).to.include({ admitted: true });
  });
});
