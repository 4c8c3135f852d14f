import { expect } from 'chai';
import { RangeSize } from '../../src/domain/segments/engine/batch-size.ts';

describe('The size of a range of customers', () => {
  /** The sizes of ranges of which each customer takes `each` milliseconds, and each range `fixed` besides. */
  function sizesOf(costs: (n: number) => { each: number; fixed: number }, ranges = 40): number[] {
    const range = new RangeSize();
    return Array.from({ length: ranges }, (_, n) => {
      const { each, fixed } = costs(n);
      const { size } = range;
      range.note(size, fixed + each * size);
      return size;
    });
  }

  it('is what takes a quarter of a second, whatever a range takes besides', () => {
    for (const fixed of [0, 30, 250, 1_500, 5_000]) {
      for (const each of [0.01, 0.1, 0.5, 1, 4]) {
        const last = sizesOf(() => ({ each, fixed })).at(-1) as number;
        const expected = Math.min(5_000, Math.max(50, 250 / each));
        expect(last, `${fixed} and ${each}`).to.be.within(expected / 1.6, expected * 1.6);
      }
    }
  });

  it('follows what changes on the way', () => {
    const sizes = sizesOf((n) => (n < 20 ? { each: 0.05, fixed: 20 } : { each: 0.05, fixed: 1_500 }), 50);
    expect(sizes[19]).to.be.greaterThan(3_000);
    expect(sizes.at(-1)).to.be.greaterThan(3_000);
    const heavier = sizesOf((n) => (n < 20 ? { each: 0.05, fixed: 300 } : { each: 5, fixed: 300 }), 50);
    expect(heavier.at(-1)).to.be.below(100);
  });

  it('goes down to one customer where all the time was taken, and up again', () => {
    const range = new RangeSize();
    const sizes: number[] = [];
    while (range.size > 1) {
      sizes.push(range.size);
      range.narrow(range.size);
    }
    expect(sizes.length).to.be.at.most(4);
    range.note(1, 8_000);
    for (let n = 0; n < 10; n += 1) range.note(range.size, 5 + range.size * 0.01);
    expect(range.size).to.equal(5_000);
  });
});
