import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { Batcher } from '../../src/domain/write/group-commit.ts';
import { until } from '../support/process.ts';
import { turns } from '../support/turns.ts';

interface Item {
  name: string;
  since: number;
}

/** A batcher whose batches take until the test ends them. */
class Writes {
  /** Names of each batch, in the order in which the batches began. */
  readonly begun: string[][] = [];
  readonly #ends: (() => void)[] = [];
  readonly batcher: Batcher<Item>;

  constructor(maxBatch = 100) {
    this.batcher = new Batcher<Item>(maxBatch, (batch) => {
      this.begun.push(batch.map(({ name }) => name));
      return new Promise((resolve) => this.#ends.push(resolve));
    });
  }

  add(...names: string[]): void {
    for (const name of names) this.batcher.add({ name, since: performance.now() });
  }

  /** Ends the batch that is the n-th to have begun. */
  end(n: number): void {
    this.#ends[n]?.();
  }

  async untilBegun(count: number): Promise<void> {
    await until(() => this.begun.length >= count, `${count} batches have begun`);
  }
}

describe('the batcher', () => {
  it('writes what comes alone at once, without a timer', async () => {
    const writes = new Writes();
    writes.add('a');
    await turns(2);
    expect(writes.begun).to.deep.equal([['a']]);
    writes.end(0);
  });

  it('writes in one batch what comes in the same turn of the event loop', async () => {
    const writes = new Writes();
    writes.add('a', 'b');
    for (let i = 0; i < 20; i += 1) await undefined;
    writes.add('c');
    await turns(2);
    expect(writes.begun).to.deep.equal([['a', 'b', 'c']]);
    writes.end(0);
  });

  it('joins what comes while a batch is in flight, and writes it when that has ended', async () => {
    const writes = new Writes();
    writes.add('a');
    await writes.untilBegun(1);
    writes.add('b');
    await turns();
    writes.add('c');
    writes.end(0);
    await writes.untilBegun(2);
    expect(writes.begun).to.deep.equal([['a'], ['b', 'c']]);
    writes.end(1);
  });

  it('tells how many wait, and since when the oldest does', async () => {
    const writes = new Writes();
    expect(writes.batcher.since).to.equal(undefined);
    writes.add('a');
    await writes.untilBegun(1);
    expect([writes.batcher.length, writes.batcher.since]).to.deep.equal([0, undefined]);
    writes.batcher.add({ name: 'b', since: 123 });
    writes.add('c');
    expect([writes.batcher.length, writes.batcher.since]).to.deep.equal([2, 123]);
    writes.end(0);
    await writes.untilBegun(2);
    expect(writes.batcher.length).to.equal(0);
    writes.end(1);
  });

  it('splits what is more than a batch may have, in order', async () => {
    const writes = new Writes(2);
    writes.add('a', 'b', 'c', 'd', 'e');
    for (let n = 0; n < 3; n += 1) {
      await writes.untilBegun(n + 1);
      writes.end(n);
    }
    expect(writes.begun).to.deep.equal([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('waits a moment after a batch for as many as came together before', async () => {
    const writes = new Writes();
    writes.add('a', 'b');
    await writes.untilBegun(1);
    writes.add('c');
    writes.end(0);
    // Where this process is held up, the moment may be over: then the two are in batches of their own.
    const start = performance.now();
    await turns(2);
    writes.add('d', 'e');
    const late = performance.now() - start > 3;
    await writes.untilBegun(2);
    if (!late)
      expect(writes.begun).to.deep.equal([
        ['a', 'b'],
        ['c', 'd', 'e'],
      ]);
    writes.end(1);
    await turns();
    writes.end(2);
  });

  it('does not wait for company that never comes', async () => {
    const writes = new Writes();
    writes.add('a', 'b', 'c');
    await writes.untilBegun(1);
    writes.add('d');
    writes.end(0);
    // However slow the day is: a timer that is due long before another one fires before it.
    await sleep(500);
    expect(writes.begun[1]).to.deep.equal(['d']);
    writes.end(1);
  });

  it('begins a second batch beside one that hangs, but only once something has waited for it', async () => {
    const writes = new Writes();
    writes.add('a');
    await writes.untilBegun(1);
    const start = performance.now();
    writes.add('b');
    await writes.untilBegun(2);
    expect(performance.now() - start).to.be.at.least(25);
    expect(writes.begun).to.deep.equal([['a'], ['b']]);
    writes.end(1);
    writes.end(0);
  });

  it('goes on beside a batch that hangs for ever', async () => {
    const writes = new Writes();
    writes.add('hangs');
    for (let n = 1; n <= 4; n += 1) {
      await writes.untilBegun(n);
      if (n > 1) writes.end(n - 1);
      await turns();
      writes.add(`after ${n}`);
    }
    await writes.untilBegun(5);
    expect(writes.begun.flat()).to.deep.equal(['hangs', 'after 1', 'after 2', 'after 3', 'after 4']);
    writes.end(0);
    writes.end(4);
  });

  it('never has more than two batches in flight, and begins the third when one of them ends', async () => {
    const writes = new Writes();
    writes.add('a');
    await writes.untilBegun(1);
    writes.add('b');
    await writes.untilBegun(2);
    writes.add('c');
    await sleep(150); // three times what a batch is waited for
    expect(writes.begun).to.deep.equal([['a'], ['b']]);
    writes.end(1);
    await writes.untilBegun(3);
    expect(writes.begun[2]).to.deep.equal(['c']);
    writes.end(0);
    writes.end(2);
  });

  it('writes no empty batch where two batches that end together leave one item to both', async () => {
    const writes = new Writes();
    writes.add('a');
    await writes.untilBegun(1);
    writes.add('b');
    await writes.untilBegun(2);
    writes.add('c');
    writes.end(0);
    writes.end(1);
    await writes.untilBegun(3);
    writes.end(2);
    await sleep(20); // in which the other one would have begun
    expect(writes.begun).to.deep.equal([['a'], ['b'], ['c']]);
  });

  it('loses nothing, repeats nothing and keeps the order, whatever comes when and however long batches take', async () => {
    const gap = fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.integer({ max: 8, min: 1 }) },
    );
    /** Turns of the event loop, or milliseconds; seldom longer than the batcher is patient. */
    const length = fc.oneof(
      { weight: 10, arbitrary: fc.record({ turns: fc.nat(5) }) },
      { weight: 4, arbitrary: fc.record({ ms: fc.integer({ min: 1, max: 8 }) }) },
      { weight: 2, arbitrary: fc.record({ ms: fc.integer({ min: 55, max: 90 }) }) },
    );
    const scenario = fc.record({
      maxBatch: fc.integer({ min: 1, max: 6 }),
      arrivals: fc.array(fc.tuple(gap, gap), { minLength: 1, maxLength: 30 }),
      lengths: fc.array(length, { minLength: 1, maxLength: 6 }),
    });
    // Side by side, as most of the time is waited.
    await Promise.all(
      fc.sample(scenario, 150).map(async ({ maxBatch, arrivals, lengths }) => {
        const begun: Item[][] = [];
        let inFlight = 0;
        let ended = 0;
        const faults: string[] = [];
        const batcher = new Batcher<Item>(maxBatch, async (batch) => {
          const take = lengths[begun.length % lengths.length] as { turns?: number; ms?: number };
          begun.push(batch);
          inFlight += 1;
          if (inFlight > 2) faults.push(`${inFlight} in flight`);
          if (batch.length < 1 || batch.length > maxBatch) faults.push(`a batch of ${batch.length}`);
          await (take.ms ? sleep(take.ms) : turns(take.turns));
          inFlight -= 1;
          ended += batch.length;
        });
        const names: string[] = [];
        for (const [ticks, ms] of arrivals) {
          await turns(ticks);
          if (ms > 4) await sleep(ms);
          names.push(`${names.length}`);
          batcher.add({ name: names.at(-1) as string, since: performance.now() });
        }
        const told = JSON.stringify({ maxBatch, arrivals, lengths });
        await until(() => ended >= names.length, `everything is written of ${told}`);
        await sleep(10);
        expect(
          begun.flat().map(({ name }) => name),
          told,
        ).to.deep.equal(names);
        expect(faults, told).to.deep.equal([]);
        expect([batcher.length, batcher.since]).to.deep.equal([0, undefined]);
      }),
    );
  });
});
