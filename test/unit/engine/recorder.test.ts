import { expect } from 'chai';
import { Recorder } from '../../../src/engine/recorder.ts';

/** So long that whoever waits for it to pass does not end. */
const NEVER_MS = 600_000;

interface One {
  at: number;
  n: number;
}

/** Records in turn what is written, and how many were together. */
function open(everyMs: number, underWay?: () => number) {
  const sizes: number[] = [];
  const recorder = new Recorder<One>({
    write: async (some) => {
      sizes.push(some.length);
    },
    onFailure: () => {},
    forMs: NEVER_MS,
    isStopping: () => false,
    everyMs,
    ...(underWay && { underWay }),
  });
  const record = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => recorder.record({ at: Date.now(), n })));
  return { sizes, record };
}

describe('The recorder of what comes of things', () => {
  it('records the first at once, and those after it together once they are enough', async () => {
    const { sizes, record } = open(NEVER_MS);
    await record(1);
    const few = record(10);
    await record(54);
    await few;
    expect(sizes).to.deep.equal([1, 64]);
  });

  it('waits for no more than are under way', async () => {
    let underWay = 1;
    const { sizes, record } = open(NEVER_MS, () => underWay);
    await record(1);
    underWay = 3;
    const first = record(1);
    await record(2);
    await first;
    expect(sizes).to.deep.equal([1, 3]);
  });

  it('records what there is once the time is over', async () => {
    const { sizes, record } = open(20);
    await record(1);
    await record(2);
    await record(2);
    expect(sizes).to.deep.equal([1, 2, 2]);
  });

  it('records what comes meanwhile together where it is told to wait for nothing', async () => {
    const { sizes, record } = open(0);
    await Promise.all([record(1), record(2)]);
    expect(sizes).to.deep.equal([3]);
  });
});
