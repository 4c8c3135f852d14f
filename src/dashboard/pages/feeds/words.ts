import type { CatalogFeedFormat, CatalogFeedRunStatus } from '../../../client/index.ts';
import { count } from '../../components/numbers.ts';

export const FORMAT_WORDS: Readonly<Record<CatalogFeedFormat, string>> = {
  csv: 'CSV: commas or semicolons',
  tsv: 'TSV: tabs',
  jsonl: 'JSON lines',
  json: 'JSON array',
  xml: 'XML of Google',
};

export const STATUS_WORDS: Readonly<Record<CatalogFeedRunStatus, string>> = {
  running: 'Being read',
  complete: 'Complete',
  unchanged: 'Nothing new',
  needs_confirmation: 'Waits for you',
  confirmed: 'Confirmed',
  dismissed: 'Nothing hidden',
  failed: 'Failed',
};

export const STATUS_COLORS: Readonly<Record<CatalogFeedRunStatus, string>> = {
  running: 'blue',
  complete: 'green',
  unchanged: 'gray',
  needs_confirmation: 'orange',
  confirmed: 'gray',
  dismissed: 'gray',
  failed: 'red',
};

/** What a column becomes; a name that is not here is one of an item's fields. */
export const COLUMN_WORDS: Readonly<Record<string, string>> = {
  id: 'Id',
  item_id: 'Item of which it is a variant',
  url: 'Page',
  image_url: 'Picture',
  images: 'More pictures',
  sku: 'SKU',
  sale_price: 'Price now',
  sale_period: 'When that price holds',
  availability: 'Whether it can be bought',
  attribute: 'Attribute',
};

const EVERY: Readonly<Record<number, string>> = {
  15: '15 minutes',
  30: '30 minutes',
  60: 'hour',
  180: '3 hours',
  360: '6 hours',
  720: '12 hours',
  1440: 'day',
};

/** How often a feed may be read: minutes and words, with how often it is. */
export function intervals(now: number): { value: string; label: string }[] {
  const all = [...new Set([...Object.keys(EVERY).map(Number), now])].sort((one, other) => one - other);
  return all.map((minutes) => ({ value: String(minutes), label: `Every ${everyInWords(minutes)}` }));
}

export const everyInWords = (minutes: number): string => EVERY[minutes] ?? `${count(minutes)} minutes`;

/** Failures from which on a feed is read less often. */
export const MANY_FAILURES = 5;
