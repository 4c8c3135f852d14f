import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { SharedTimeout } from '../../src/concurrency/shared-timeout.ts';

/** Longer than any test; where one fails, what still waits keeps mocha from ending for as long. */
const LONG = 30_000;

/** Resolves once everything has been given up that is due now. */
function later(): Promise<void> {
  return new Promise((resolve) => {
    new SharedTimeout(1, resolve);
  });
}

describe('a shared timeout', () => {
  it('gives up a wait once its time is over, and not before', async () => {
    const start = performance.now();
    await new Promise<void>((resolve) => {
      new SharedTimeout(30, resolve);
    });
    expect(performance.now() - start).to.be.at.least(30);
  });

  it('gives up each wait once', async () => {
    let count = 0;
    new SharedTimeout(0, () => {
      count += 1;
    });
    await later();
    await later();
    expect(count).to.equal(1);
  });

  it('does not give up a wait that has ended before, nor one that is not due', async () => {
    const givenUp: string[] = [];
    const ended = new SharedTimeout(0, () => givenUp.push('ended'));
    const long = new SharedTimeout(LONG, () => givenUp.push('long'));
    ended.cancel();
    await later();
    long.cancel();
    expect(givenUp).to.deep.equal([]);
  });

  it('does not give up a wait that ends because another one was given up at the same moment', async () => {
    const givenUp: number[] = [];
    const waits: SharedTimeout[] = [];
    for (const i of [0, 1]) {
      const giveUp = () => {
        givenUp.push(i);
        waits[1 - i]?.cancel();
      };
      waits.push(new SharedTimeout(0, giveUp));
    }
    await later();
    expect(givenUp).to.have.length(1);
  });

  it('may be cancelled twice, and after it was given up, without an effect on others', async () => {
    const givenUp: string[] = [];
    const first = new SharedTimeout(0, () => givenUp.push('first'));
    await later();
    const others = ['a', 'b', 'c'].map((name) => new SharedTimeout(0, () => givenUp.push(name)));
    first.cancel();
    others[1]?.cancel();
    others[1]?.cancel();
    await later();
    expect(givenUp.sort()).to.deep.equal(['a', 'c', 'first']);
  });

  it('gives up those that nobody cancels, whichever are cancelled in whatever order', async () => {
    // All at once, because each of them waits until the next look.
    const cases = fc.sample(
      fc.integer({ min: 1, max: 12 }).chain((count) => fc.tuple(fc.constant(count), cancellationsOf(count))),
      200,
    );
    const found = cases.map(([count, cancelled]) => {
      const givenUp = new Set<number>();
      const waits = Array.from({ length: count }, (_, i) => new SharedTimeout(0, () => givenUp.add(i)));
      for (const i of cancelled) waits[i]?.cancel();
      return { count, cancelled, givenUp };
    });
    await later();
    for (const { count, cancelled, givenUp } of found) {
      const expected = [...Array(count).keys()].filter((i) => !cancelled.includes(i));
      expect([...givenUp].sort((a, b) => a - b)).to.deep.equal(expected);
    }
  });

  function cancellationsOf(count: number) {
    return fc.shuffledSubarray([...Array(count).keys()]);
  }

  it('gives up what comes after a time in which nothing waited', async () => {
    await later();
    await sleep(120); // the timer ends where nothing waits
    await later();
  });
});
