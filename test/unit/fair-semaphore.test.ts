import { expect } from 'chai';
import fc from 'fast-check';
import { FairSemaphore, type FairSemaphoreOptions } from '../../src/concurrency/fair-semaphore.ts';
import { rejectionOf, stateOf, turns } from '../support/turns.ts';

/** Longer than any test; where one fails, what still waits keeps mocha from ending for as long. */
const LONG = 30_000;
const REFUSAL = new Error('too many wait');
const STUCK = new Error('nothing moves');

function semaphore(options: Partial<FairSemaphoreOptions>): FairSemaphore {
  return new FairSemaphore({
    permits: 1,
    permitsPerStore: 1_000,
    timeoutMs: LONG,
    maxWaitingPerStore: 1_000,
    refusal: () => REFUSAL,
    ...options,
  });
}

describe('a fair semaphore', () => {
  it('gives out as many permits as it has, and one more for each that is released', () => {
    const permits = semaphore({ permits: 3 });
    expect(['a', 'b', 'a', 'c'].map((store) => permits.tryAcquire(store))).to.deep.equal([true, true, true, false]);
    permits.release('b');
    expect(['c', 'c'].map((store) => permits.tryAcquire(store))).to.deep.equal([true, false]);
  });

  it('counts the permits of each group of stores apart', () => {
    const groups = new Map([...'abc'].map((store) => [store, store === 'c' ? 'second' : 'first']));
    const permits = semaphore({ permits: 1, groupOf: (store) => groups.get(store) ?? '' });
    expect(['a', 'b', 'c'].map((store) => permits.tryAcquire(store))).to.deep.equal([true, false, true]);
    groups.set('a', 'second');
    permits.release('a');
    expect(['a', 'b'].map((store) => permits.tryAcquire(store))).to.deep.equal([false, true]);
  });

  it('gives out no more than a total, however many groups there are', () => {
    const permits = semaphore({ permits: 2, total: 3, groupOf: (store) => store });
    expect([...'aaabc'].map((store) => permits.tryAcquire(store))).to.deep.equal([true, true, false, true, false]);
    permits.release('a');
    expect(permits.tryAcquire('c')).to.equal(true);
  });

  it('has no more wait than a number of all stores together', async () => {
    const permits = semaphore({ maxWaiting: 2 });
    expect(permits.tryAcquire('a')).to.equal(true);
    const waiting = [permits.acquire('b'), permits.acquire('c')];
    expect(await rejectionOf(permits.acquire('d'))).to.equal(REFUSAL);
    permits.release('a');
    await waiting[0];
    const next = permits.acquire('d');
    expect(await rejectionOf(permits.acquire('e'))).to.equal(REFUSAL);
    permits.release('b');
    await waiting[1];
    permits.release('c');
    await next;
  });

  it('gives no store more than its share while permits are left for others', async () => {
    const permits = semaphore({ permits: 3, permitsPerStore: 2 });
    expect(['a', 'a', 'a', 'b'].map((store) => permits.tryAcquire(store))).to.deep.equal([true, true, false, true]);
    permits.release('b');
    const third = permits.acquire('a');
    expect(await stateOf(third)).to.equal('pending');
    permits.release('a');
    await third;
  });

  it('has those who find no permit wait until one is released', async () => {
    const permits = semaphore({});
    await permits.acquire('a');
    const waiting = permits.acquire('a');
    expect(await stateOf(waiting)).to.equal('pending');
    permits.release('a');
    await waiting;
    expect(permits.tryAcquire('a'), 'the permit is taken by the one who waited').to.equal(false);
  });

  /** Has these stores wait in this order behind one that has the only permit; the order in which they get it. */
  async function orderOf(stores: string[]): Promise<string[]> {
    const permits = semaphore({});
    await permits.acquire('first');
    const served: string[] = [];
    const all = stores.map((store, i) =>
      permits.run(store, async () => {
        served.push(`${store}${i}`);
        await turns(1);
      }),
    );
    permits.release('first');
    await Promise.all(all);
    return served;
  }

  it('serves stores in turn, and the callers of one store in the order in which they came', async () => {
    expect(await orderOf(['a', 'a', 'a', 'b', 'b', 'c'])).to.deep.equal(['a0', 'b3', 'c5', 'a1', 'b4', 'a2']);
  });

  it('serves a store with one caller in the first round, however many of others wait before it', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }), async (stores) => {
        const rest = new Map<string, string[]>();
        stores.forEach((store, i) => {
          rest.set(store, [...(rest.get(store) ?? []), `${store}${i}`]);
        });
        const expected: string[] = [];
        while (expected.length < stores.length) {
          for (const waiting of rest.values()) expected.push(...waiting.splice(0, 1));
        }
        expect(await orderOf(stores)).to.deep.equal(expected);
      }),
      { numRuns: 40 },
    ));

  it('wakes a caller of a store that may have the permit, not one before it whose store has its share', async () => {
    const permits = semaphore({ permits: 2, permitsPerStore: 1 });
    await permits.acquire('a');
    await permits.acquire('b');
    const [second, other] = [permits.acquire('a'), permits.acquire('c')];
    permits.release('b');
    await other;
    expect(await stateOf(second)).to.equal('pending');
    permits.release('a');
    await second;
  });

  it('refuses a caller who has waited for too long, who then takes no permit from those who still wait', async () => {
    const permits = semaphore({ timeoutMs: 1 });
    await permits.acquire('a');
    expect(await rejectionOf(permits.acquire('a'))).to.equal(REFUSAL);
    expect(await rejectionOf(permits.acquire('b'))).to.equal(REFUSAL);
    permits.release('a');
    expect(permits.tryAcquire('a')).to.equal(true);
    const next = permits.acquire('b');
    permits.release('a');
    await next;
  });

  it('refuses at once the caller of a store of which enough wait, and no caller of another store', async () => {
    const permits = semaphore({ maxWaitingPerStore: 2 });
    await permits.acquire('a');
    const waiting = [permits.acquire('a'), permits.acquire('a')];
    expect(await rejectionOf(permits.acquire('a'))).to.equal(REFUSAL);
    const other = permits.acquire('b');
    permits.release('a');
    await waiting[0];
    const again = permits.acquire('a');
    expect(await stateOf(again), 'there is room for one again').to.equal('pending');
    permits.release('a');
    await other;
    permits.release('b');
    await waiting[1];
    permits.release('a');
    await again;
  });

  it('says that nothing moves where nobody released a permit while a caller waited in vain', async () => {
    const permits = semaphore({ timeoutMs: 1, stuck: () => STUCK });
    await permits.acquire('a');
    permits.release('a');
    await permits.acquire('a');
    await turns();
    expect(await rejectionOf(permits.acquire('b'))).to.equal(STUCK);
  });

  it('says that too many wait where a permit was released meanwhile, though not to the caller who waited', async () => {
    const permits = semaphore({ permits: 2, permitsPerStore: 1, timeoutMs: 1, stuck: () => STUCK });
    await permits.acquire('a');
    await permits.acquire('b');
    const refused = rejectionOf(permits.acquire('a'));
    permits.release('b');
    expect(await refused).to.equal(REFUSAL);
  });

  it('releases the permit of work that is done, and returns what it results in', async () => {
    const permits = semaphore({});
    const result = await permits.run('a', async () => {
      expect(permits.tryAcquire('a')).to.equal(false);
      return 'done';
    });
    expect(result).to.equal('done');
    expect(permits.tryAcquire('a')).to.equal(true);
  });

  it('releases the permit of work that fails or throws at once', async () => {
    const permits = semaphore({});
    const failure = new Error('broken');
    const works = [
      () => Promise.reject(failure),
      () => {
        throw failure;
      },
    ];
    for (const work of works) {
      expect(await rejectionOf(permits.run('a', work))).to.equal(failure);
      expect(permits.tryAcquire('a')).to.equal(true);
      permits.release('a');
    }
  });

  it('serves everybody and exceeds no bound, whoever comes when and works for however long', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3), fc.nat(3), fc.boolean()), { maxLength: 30 }),
        async (count, share, callers) => {
          const permits = semaphore({ permits: count, permitsPerStore: share });
          const working: string[] = [];
          let served = 0;
          const all: Promise<unknown>[] = [];
          for (const [store, gap, length, isFailing] of callers) {
            await turns(gap);
            const work = permits.run(store, async () => {
              working.push(store);
              expect(working.length).to.be.at.most(count);
              expect(working.filter((each) => each === store).length).to.be.at.most(share);
              await turns(length);
              working.splice(working.indexOf(store), 1);
              served += 1;
              if (isFailing) throw REFUSAL;
            });
            all.push(
              work.catch((error) => {
                if (error !== REFUSAL) throw error;
              }),
            );
          }
          await Promise.all(all);
          expect(served).to.equal(callers.length);
        },
      ),
      { numRuns: 50 },
    ));
});
