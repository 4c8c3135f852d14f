import { problemOfUnstorable } from '../../lossless-json.ts';
import type { ItemFields, ItemPatch, VariantFields } from '../item.ts';
import { type Amount, priceOf, readAmount } from './amounts.ts';

/** A record of a file: texts by the names of its columns, or a value of JSON. */
export type FeedRecord = Readonly<Record<string, unknown>>;

/** What a record says, with the categories that it is in, from the top. */
export interface KnownProduct {
  patch: ItemPatch;
  categories: string[][];
}

/** What a record says; or what is wrong with it, and the item that it is of where that is known. */
export type Product = KnownProduct | { column: string | null; problem: string; itemId?: string };

interface Fault {
  column: string | null;
  problem: string;
}

/** Names of columns that mean the same, as Google's, Klaviyo's and this service's files have them. */
const NAMES = {
  id: ['id', 'external_id', 'product_id', 'variant_id'],
  group: ['item_group_id', 'item_id', 'parent_id'],
  title: ['title', 'name'],
  description: ['description'],
  url: ['link', 'url', 'product_url', 'canonical_link'],
  image: ['image_link', 'image_url', 'image_full_url', 'image'],
  images: ['additional_image_link', 'additional_image_links', 'images'],
  brand: ['brand', 'vendor', 'manufacturer'],
  sku: ['sku', 'mpn'],
  price: ['price'],
  sale: ['sale_price'],
  during: ['sale_price_effective_date'],
  available: ['availability'],
  stock: ['stock', 'inventory', 'quantity', 'inventory_quantity', 'sell_on_google_quantity'],
  categories: ['product_type', 'category', 'categories'],
} as const;

const KNOWN = new Set<string>(Object.values(NAMES).flat());

/** What columns become, as the API calls it. */
const TARGETS = {
  ...{ id: 'id', group: 'item_id', title: 'title', description: 'description', url: 'url', image: 'image_url' },
  ...{ images: 'images', brand: 'brand', sku: 'sku', price: 'price', sale: 'sale_price', during: 'sale_period' },
  ...{ available: 'availability', stock: 'stock', categories: 'categories' },
} as const satisfies Record<keyof typeof NAMES, string>;
export type ColumnTarget = (typeof TARGETS)[keyof typeof NAMES] | 'attribute';

/** Returns what a column becomes; what is not known is an attribute. */
export function becomesOf(column: string): ColumnTarget {
  const name = normal(column);
  const known = Object.keys(NAMES) as (keyof typeof NAMES)[];
  const what = known.find((one) => (NAMES[one] as readonly string[]).includes(name));
  return what ? TARGETS[what] : 'attribute';
}
const MAX_IMAGES = 20;
/** Values of a record, of which no more than 400 can be attributes; and categories that are told apart, of which it may have 50. */
const [MAX_VALUES, MAX_PARTS] = [1_000, 1_000];
const [MAX_LEVELS, MAX_TITLE, MAX_ID] = [8, 500, 255];
const SOLD_OUT = ['out_of_stock', 'oos', 'sold_out', 'discontinued', 'no', 'false', '0'];

/** Converts a record to an item, or to an item with a variant where it names its item. */
export function toProduct(record: FeedRecord, currency: string | undefined, now = new Date()): Product {
  const byName = new Map(Object.entries(record).map(([name, value]) => [normal(name), value]));
  const found = (what: keyof typeof NAMES): [string, string] | undefined => {
    for (const name of NAMES[what]) {
      const text = textOf(byName.get(name)).trim();
      if (text !== '') return [name, text];
    }
    return undefined;
  };
  const text = (what: keyof typeof NAMES) => found(what)?.[1];
  const faults = unstorableIn(byName);
  if (byName.size > MAX_VALUES)
    faults.push({ column: null, problem: `has more than ${MAX_VALUES.toLocaleString('en')} values` });
  const id = text('id');
  if (id === undefined) return faults[0] ?? { column: 'id', problem: 'is missing' };
  if (id.length > MAX_ID) return { column: 'id', problem: `is longer than ${MAX_ID} characters` };
  const money = (what: 'price' | 'sale'): Amount | undefined => {
    const [column, written] = found(what) ?? [];
    if (column === undefined || written === undefined) return undefined;
    const amount = readAmount(written, currency);
    if (typeof amount !== 'string') return amount;
    faults.push({ column, problem: amount });
    return undefined;
  };
  const [price, sale] = [money('price'), isDuring(text('during'), now) ? money('sale') : undefined];
  const stock = stockOf(found('stock'), faults);
  const [fault] = faults;
  if (fault) return { ...fault, itemId: text('group') ?? id };
  const sold: VariantFields = {
    ...given('url', text('url')),
    ...given('image_url', text('image')),
    ...given('sku', text('sku')),
    ...(price && { prices: priceOf(price, sale) }),
    ...(stock !== undefined && { stock }),
    ...availability(text('available')),
    attributes: attributesOf(byName),
  };
  const about: ItemFields = {
    title: (text('title') ?? id).slice(0, MAX_TITLE).toWellFormed(),
    ...given('description', text('description')),
    ...given('brand', text('brand')),
  };
  const categories = text('categories') ? pathsOf(text('categories') as string) : [];
  const group = text('group');
  if (group === undefined || group === id) {
    const images = text('images')
      ?.split(',')
      .map((one) => one.trim())
      .filter(Boolean)
      .slice(0, MAX_IMAGES);
    return { patch: { id, fields: { ...sold, ...about, ...(images && { images }) } as ItemFields }, categories };
  }
  const { url, image_url } = sold;
  const fields = { ...about, ...(url && { url }), ...(image_url && { image_url }) };
  return { patch: { id: group, fields, variants: [{ id, fields: sold }] }, categories };
}

/** Lists of JSON are texts with commas between them; its objects are none. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter(isPlain).join(',');
  return isPlain(value) ? String(value) : '';
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** What JSON has in known columns that would not be what it was. */
function unstorableIn(byName: ReadonlyMap<string, unknown>): Fault[] {
  return [...byName].flatMap(([column, value]) => {
    if (!KNOWN.has(column)) return [];
    const problem = [value].flat().map(problemOfUnstorable).find(Boolean);
    return problem === undefined ? [] : [{ column, problem }];
  });
}

function given<Name extends string>(name: Name, value: string | undefined): { [N in Name]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: string });
}

/** `g:Sale Price` → `sale_price`. */
function normal(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^g:/, '')
    .replace(/[\s-]+/g, '_');
}

function stockOf(given: [string, string] | undefined, faults: Fault[]): number | undefined {
  if (!given) return undefined;
  const number = Number(given[1]);
  if (Number.isInteger(number) && Math.abs(number) < 2 ** 31) return number;
  faults.push({ column: given[0], problem: 'is not a whole number of pieces' });
  return undefined;
}

/** Whether now is in a period such as `2026-11-20T00:00+01:00/2026-11-30T00:00+01:00`; without one, always. */
function isDuring(period: string | undefined, now: Date): boolean {
  const [from, to] = (period ?? '').split('/').map((one) => Date.parse(one));
  if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) return true;
  return from <= now.getTime() && now.getTime() < to;
}

function availability(text: string | undefined): Pick<VariantFields, 'available'> {
  return text === undefined ? {} : { available: !SOLD_OUT.includes(normal(text)) };
}

/**
 * `Home > Tea > Green` leads from the top to one category; commas part several. What parts them has no spaces in it: looking for
 * these would take the square of their number.
 */
function pathsOf(text: string): string[][] {
  return text
    .split(text.includes('>') ? /,(?=[^,>]+>)|[|;]/ : /[,|;]/, MAX_PARTS)
    .map((path) =>
      path
        .split('>')
        .map((title) => title.trim())
        .filter(Boolean)
        .slice(0, MAX_LEVELS),
    )
    .filter((path) => path.length > 0);
}

function attributesOf(byName: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const others = [...byName].filter(
    ([name, value]) => !KNOWN.has(name) && name !== '' && value !== '' && value !== null,
  );
  return Object.fromEntries(others);
}
