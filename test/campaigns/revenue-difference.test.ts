import { expect } from 'chai';
import type { OrderCount } from '../../src/domain/campaigns/counting/orders.ts';
import { compareRevenue } from '../../src/domain/campaigns/revenue-difference.ts';

/** What some ordered, by what each of those brought who ordered. */
function counted(isHeldOut: boolean, values: readonly number[], more: Partial<OrderCount> = {}): OrderCount {
  const sum = values.reduce((all, value) => all + value, 0);
  return {
    ...{ isHeldOut, isAll: false, currency: 'EUR', orders: values.length, customers: values.length, refunded: '0' },
    amount: String(Math.round(sum * 1_000_000)),
    squares: values.reduce((all, value) => all + value ** 2, 0),
    ...more,
  };
}

const times = (count: number, ...values: number[]): number[] => Array.from({ length: count }, () => values).flat();

describe('What a campaign brought beside whoever was held out', () => {
  const GROUPS = { others: 1_000, heldOut: 500 };

  it('is the difference of what each recipient brought, and between what it is', () => {
    const orders = [counted(false, times(20, 10, 20, 30)), counted(true, times(5, 10, 20, 30))];
    // Worked out by another program from all 1,500 numbers.
    expect(compareRevenue(orders, GROUPS)).to.deep.equal([
      { currency: 'EUR', perRecipient: '0.6', interval: { low: '0.144869', high: '1.055131', isClear: true } },
    ]);
    const more = [counted(false, times(40, 10, 20, 30)), counted(true, times(5, 10, 20, 30))];
    expect(compareRevenue(more, GROUPS)[0]?.interval?.isClear).to.equal(true);
    const less = [counted(false, times(5, 10, 20, 30)), counted(true, times(40, 10, 20, 30))];
    const [found] = compareRevenue(less, GROUPS);
    expect([found?.perRecipient, found?.interval?.isClear]).to.deep.equal(['-4.5', true]);
  });

  it('may be chance where one order is all that makes it', () => {
    const orders = [counted(false, [...times(15, 10), 10_000]), counted(true, times(8, 10))];
    const [found] = compareRevenue(orders, GROUPS);
    expect([found?.perRecipient, found?.interval?.isClear]).to.deep.equal(['9.99', false]);
  });

  it('is not told from chance where few have ordered, or the version before has counted', () => {
    const few = [counted(false, [10, 10]), counted(true, [10])];
    expect(compareRevenue(few, GROUPS)).to.deep.equal([{ currency: 'EUR', perRecipient: '0', interval: null }]);
    const old = [counted(false, times(60, 10), { squares: null }), counted(true, times(15, 10))];
    expect(compareRevenue(old, GROUPS)[0]?.interval).to.equal(null);
  });

  it('is told of each currency by itself, also of one in which only some ordered', () => {
    const orders = [counted(true, [5], { currency: 'USD' }), counted(false, [8]), counted(true, [1], { isAll: true })];
    expect(compareRevenue(orders, GROUPS).map(({ currency, perRecipient }) => [currency, perRecipient])).to.deep.equal([
      ['USD', '-0.01'],
      ['EUR', '0.008'],
    ]);
    expect(compareRevenue(orders, { others: 1_000, heldOut: 0 })).to.deep.equal([]);
  });
});
