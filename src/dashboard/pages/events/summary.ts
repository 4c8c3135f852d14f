import { money } from '../../components/money.ts';

/** The conventional properties, before all others. */
const FIRST = ['order_id', 'product', 'product_name', 'name', 'title'];
const MAX_SHOWN = 4;

/** A line about what an event carries: its amount, then what else is a plain value. */
export function summaryOf(properties: Record<string, unknown>): string {
  const { value, currency, ...others } = properties;
  const amount = amountOf(value, currency);
  const rank = (name: string) => (FIRST.indexOf(name) + FIRST.length + 1) % (FIRST.length + 1);
  const plain = Object.entries(others)
    .filter(([, one]) => ['string', 'number', 'boolean'].includes(typeof one))
    .sort(([a], [b]) => rank(a) - rank(b))
    .slice(0, MAX_SHOWN)
    .map(([name, one]) => `${name}: ${one}`);
  return [...(amount === undefined ? [] : [amount]), ...plain].join(' · ') || '–';
}

function amountOf(value: unknown, currency: unknown): string | undefined {
  if (typeof value !== 'number') return value === undefined ? undefined : String(value);
  return money(value, typeof currency === 'string' ? currency : null);
}
