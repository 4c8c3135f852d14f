import type { Violation } from '../service-error.ts';

/** What something costs, and what it cost before or elsewhere. */
export interface Price {
  price: number;
  compare_at?: number;
}

/** By currency (ISO 4217). */
export type Prices = Record<string, Price>;

const MAX_CURRENCIES = 30;
/** Digits of a price: a double has each number of so many exactly. */
const MAX_DIGITS = 15;
const MAX_DECIMALS = 4;
const CURRENCY = /^[A-Z]{3}$/;
const MEMBERS = new Set(['price', 'compare_at']);

/** Returns the first thing that is wrong with prices, as they come; its path is relative to them. */
export function checkPrices(prices: object): Violation | undefined {
  const currencies = Object.entries(prices);
  if (currencies.length > MAX_CURRENCIES)
    return { path: [], problem: `must not have more than ${MAX_CURRENCIES} currencies` };
  for (const [currency, price] of currencies) {
    if (!CURRENCY.test(currency)) {
      return { path: [currency], problem: 'is not a currency: use its code of ISO 4217, such as EUR' };
    }
    const violation = checkPrice(price);
    if (violation) return { path: [currency, ...violation.path], problem: violation.problem };
  }
  return undefined;
}

function checkPrice(price: unknown): Violation | undefined {
  if (typeof price !== 'object' || price === null || Array.isArray(price)) {
    return { path: [], problem: 'must be an object with a price' };
  }
  for (const [member, amount] of Object.entries(price)) {
    if (!MEMBERS.has(member)) return { path: [member], problem: 'is not a known field' };
    const problem = problemOfAmount(amount);
    if (problem) return { path: [member], problem };
  }
  return 'price' in price ? undefined : { path: ['price'], problem: 'is required' };
}

/** Returns what is wrong with an amount of money, if anything is. */
export function problemOfAmount(amount: unknown): string | undefined {
  if (typeof amount !== 'number' || !Number.isFinite(amount)) {
    return `must be a number of at most ${MAX_DIGITS} digits, such as 19.9`;
  }
  if (amount < 0) return 'must not be less than 0';
  // Without an exponent from 0.000001 to 10^21.
  const text = String(amount);
  const [whole = '', decimals = ''] = text.split('.');
  if (text.includes('e') || decimals.length > MAX_DECIMALS) {
    return `must not have more than ${MAX_DECIMALS} digits after the point`;
  }
  return whole.length + decimals.length > MAX_DIGITS ? `must not have more than ${MAX_DIGITS} digits` : undefined;
}
