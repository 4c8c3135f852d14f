import { type Price, problemOfAmount } from '../prices.ts';

const NUMBER = /\d[\d.,'\s\u00a0\u202f]*/;
const CODE = /(?<![A-Za-z])([A-Z]{3})(?![A-Za-z])/;
const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  '₽': 'RUB',
  '₹': 'INR',
};

/** An amount of money as a file has it. */
export interface Amount {
  value: number;
  currency: string;
}

/**
 * Reads what people and shops write of an amount: `19.90 EUR`, `15,550.00 RUB`, `1.234,50 €`. Of two marks the last is the
 * decimal one; a single one is that unless three digits follow it. Returns what is wrong with it if it is none.
 */
export function readAmount(text: string, defaultCurrency: string | undefined): Amount | string {
  const [number] = NUMBER.exec(text) ?? [];
  const sign = Object.keys(SIGNS).find((one) => text.includes(one));
  const currency = CODE.exec(text)?.[1] ?? (sign ? SIGNS[sign] : undefined) ?? defaultCurrency;
  if (number === undefined || /-\s*\d/.test(text)) return 'is not an amount of money';
  if (currency === undefined) return 'has no currency';
  const digits = number.replace(/['\s\u00a0\u202f]/g, '').replace(/[.,]$/, '');
  const value = Number(withPoint(digits));
  return problemOfAmount(value) ?? { value, currency };
}

function withPoint(digits: string): string {
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')];
  const last = Math.max(point, comma);
  if (last < 0) return digits;
  const mark = digits[last] as string;
  const isOnly = digits.indexOf(mark) === last && Math.min(point, comma) < 0;
  const isGrouping = digits.indexOf(mark) !== last || (isOnly && mark === ',' && digits.length - last === 4);
  if (isGrouping) return digits.replace(/[.,]/g, '');
  return `${digits.slice(0, last).replace(/[.,]/g, '')}.${digits.slice(last + 1)}`;
}

/** The price of now, and what it was reduced from. */
export function priceOf(price: Amount, sale: Amount | undefined): Record<string, Price> {
  if (!sale || sale.currency !== price.currency) return { [price.currency]: { price: price.value } };
  return { [price.currency]: { price: sale.value, compare_at: price.value } };
}
