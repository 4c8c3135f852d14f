import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryBudget } from '../../src/http/memory-budget.ts';

const OVERLOADED = { name: 'ServiceError', code: 'upstream_error', retryAfter: 1 };

describe('a budget of memory', () => {
  function expectRefused(work: () => void): void {
    expect(work).to.throw().that.includes(OVERLOADED);
  }

  it('gives a store its share, to the byte, and not more', () => {
    const budget = new MemoryBudget(100, 40);
    budget.take('a', 40);
    expectRefused(() => budget.take('a', 1));
    budget.take('b', 40);
  });

  it('gives all stores together what there is, to the byte, and not more', () => {
    const budget = new MemoryBudget(100, 40);
    budget.take('a', 40);
    budget.take('b', 40);
    expect(budget.left('c')).to.equal(20);
    expectRefused(() => budget.take('c', 21));
    budget.take('c', 20);
    expectRefused(() => budget.take('d', 1));
  });

  it('takes nothing where it refuses, and nothing where it only looks', () => {
    const budget = new MemoryBudget(100, 40);
    expectRefused(() => budget.take('a', 41));
    budget.check('a', 40);
    expectRefused(() => budget.check('a', 41));
    expect(budget.left('a')).to.equal(40);
  });

  it('gives again what was released', () => {
    const budget = new MemoryBudget(50, 40);
    budget.take('a', 40);
    budget.release('a', 15);
    expect([budget.left('a'), budget.left('b')]).to.deep.equal([15, 25]);
    budget.take('a', 15);
    budget.release('a', 40);
    expect([budget.left('a'), budget.left('b')]).to.deep.equal([40, 40]);
  });

  it('counts what has to be taken in any case, and never says that less than nothing is left', () => {
    const budget = new MemoryBudget(100, 40);
    budget.takeUnconditionally('a', 90);
    expect([budget.left('a'), budget.left('b')]).to.deep.equal([0, 10]);
    budget.release('a', 60);
    expect([budget.left('a'), budget.left('b')]).to.deep.equal([10, 40]);
  });

  it('is whole again once everything is released, whoever took what in whatever order', () => {
    const store = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(fc.tuple(store, fc.nat(60), fc.boolean())), (takes) => {
        const budget = new MemoryBudget(100, 40);
        const held = new Map<string, number>();
        const sum = () => [...held.values()].reduce((a, b) => a + b, 0);
        for (const [each, bytes, isRelease] of takes) {
          const own = held.get(each) ?? 0;
          expect(budget.left(each)).to.equal(Math.min(40 - own, 100 - sum()));
          if (isRelease) {
            const part = Math.min(own, bytes);
            budget.release(each, part);
            held.set(each, own - part);
          } else if (bytes <= Math.min(40 - own, 100 - sum())) {
            budget.take(each, bytes);
            held.set(each, own + bytes);
          } else {
            expectRefused(() => budget.take(each, bytes));
          }
        }
        for (const [each, bytes] of held) budget.release(each, bytes);
        for (const each of ['a', 'b', 'c']) expect(budget.left(each)).to.equal(40);
      }),
    );
  });
});
