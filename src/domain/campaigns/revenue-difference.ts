import type { OrderCount } from './counting/orders.ts';
import { decimalOf } from './decimal.ts';
import { compareRates, Z_95 } from './variants/verdict.ts';

/** Amounts are counted in millionths. */
const MILLION = 1_000_000;

/** How much more, or less, each of some customers brought than each of others, in one currency. */
export interface RevenueDifference {
  currency: string | null;
  /** A decimal number, as those of the interval. */
  perRecipient: string;
  /** Between which it is with a confidence of 95 %; null where too few have ordered to say so. */
  interval: Interval | null;
}

interface Interval {
  low: string;
  high: string;
  /** Whether both are on the same side of 0. */
  isClear: boolean;
}

/** What customers brought in one currency, of whom most may have ordered nothing. */
type Sample = Pick<OrderCount, 'customers' | 'squares'> & { recipients: number; sum: number };

/**
 * Compares what each recipient of a campaign brought with what each of those did who were held out, by currency. The interval is
 * that of the difference of two means whose variances differ (Welch), for many customers.
 */
export function compareRevenue(
  orders: readonly OrderCount[],
  { others, heldOut }: { others: number; heldOut: number },
): RevenueDifference[] {
  if (others === 0 || heldOut === 0) return [];
  const ofCurrencies = orders.filter(({ isAll }) => !isAll);
  return [...new Set(ofCurrencies.map(({ currency }) => currency))].map((currency) => {
    const of = (isHeldOut: boolean, recipients: number): Sample => {
      const own = ofCurrencies.find((one) => one.isHeldOut === isHeldOut && one.currency === currency);
      if (!own) return { customers: 0, squares: 0, recipients, sum: 0 };
      return { ...own, recipients, sum: Number(own.amount) / MILLION };
    };
    return { currency, ...compareMeans(of(false, others), of(true, heldOut)) };
  });
}

function compareMeans(one: Sample, other: Sample): Omit<RevenueDifference, 'currency'> {
  const decimal = (amount: number) => decimalOf(BigInt(Math.round(amount * MILLION)));
  const perRecipient = meanOf(one) - meanOf(other);
  const [some, rest] = [one, other].map(({ customers, recipients }) => ({ hits: customers, of: recipients }));
  const isFew = compareRates(some as Part, rest as Part) === 'few';
  if (isFew || one.squares === null || other.squares === null) {
    return { perRecipient: decimal(perRecipient), interval: null };
  }
  const off = Z_95 * Math.sqrt(varianceOfMean(one, one.squares) + varianceOfMean(other, other.squares));
  const [low, high] = [perRecipient - off, perRecipient + off];
  const interval = { low: decimal(low), high: decimal(high), isClear: low > 0 || high < 0 };
  return { perRecipient: decimal(perRecipient), interval };
}

type Part = Parameters<typeof compareRates>[0];

function meanOf({ sum, recipients }: Sample): number {
  return sum / recipients;
}

function varianceOfMean({ sum, recipients }: Sample, squares: number): number {
  // Rounding may leave less than nothing.
  return Math.max(0, squares - sum ** 2 / recipients) / (recipients - 1) / recipients;
}
