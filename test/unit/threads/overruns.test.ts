import { expect } from 'chai';
import { Overruns } from '../../../src/threads/overruns.ts';

/** Turns of tasks of so many milliseconds, one after another; returns the time that they took, and what is owed then. */
function turns(overruns: Overruns, taskMs: number, count: number): { used: number; owed: number } {
  let [used, owed] = [0, 0];
  for (let n = 0; n < count; n += 1) {
    const budget = overruns.turnOf('a', 0);
    const turn = taskMs * (Math.floor(budget / taskMs) + 1);
    used += turn;
    owed = overruns.note('a', turn, 0);
  }
  return { used, owed };
}

describe('What stores owe for turns that were too long', () => {
  it('is worked off in the next turns, where tasks are shorter than those', () => {
    for (const taskMs of [1, 7, 20, 49]) {
      const { used, owed } = turns(new Overruns(50), taskMs, 200);
      expect(used, `${taskMs} ms`).to.be.within(200 * 50 - 50, 200 * 50 + 50);
      expect(owed, `${taskMs} ms`).to.be.at.most(50);
    }
  });

  it('grows where each task is longer than a turn', () => {
    expect(turns(new Overruns(50), 90, 20).owed).to.equal(20 * 40);
  });

  it('is forgiven while nothing is done, a twentieth of the time', () => {
    const overruns = new Overruns(50);
    expect(overruns.note('a', 150, 0)).to.equal(100);
    expect(overruns.turnOf('a', 0)).to.equal(0);
    expect(overruns.turnOf('a', 1_500)).to.equal(25);
    expect(overruns.turnOf('a', 2_000)).to.equal(50);
    expect(overruns.note('b', 150, 0), 'of another store').to.equal(100);
  });
});
