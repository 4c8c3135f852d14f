import type { JsonObject } from '../conditions/subject.ts';

/** What an event says of one item, by which the catalog may know it; of each the most telling first. */
export interface NamedItem {
  ids: readonly string[];
  variantIds: readonly string[];
  skus: readonly string[];
}

/** Items of one event that are looked for, the first ones. */
export const MAX_ITEMS_OF_EVENT = 100;
/** Characters of an id or a number. */
const MAX_ID = 255;

/** Names are compared without case and punctuation: `ProductID`, `product_id`, `Product ID`. */
const LISTS = new Set(['items', 'products', 'lineitems', 'cartitems', 'orderitems', 'contents', 'lines']);
/** In these there may be lists, too. */
const AROUND = new Set(['cart', 'order', 'checkout', 'ecommerce', 'extra']);
const IDS = new Set(['productid', 'itemid', 'addeditemproductid']);
const VARIANT_IDS = new Set(['variantid', 'productvariantid', 'addeditemvariantid']);
const SKUS = new Set(['sku', 'variantsku', 'productsku', 'addeditemsku']);
const LISTS_OF_IDS = new Map<string, keyof NamedItem>([
  ['productids', 'ids'],
  ['itemids', 'ids'],
  ['contentids', 'ids'],
  ['variantids', 'variantIds'],
  ['skus', 'skus'],
]);
const CURRENCIES = new Set(['currency', 'currencycode', 'valuecurrency', 'presentmentcurrency']);
/** As `items[0].ProductID`, which is one property. */
const FLATTENED = /^([^[\]]{1,32})\[(\d{1,4})\]\.(.{1,64})$/s;

/**
 * Finds the items that an event is about, in the forms in which shops and their plugins send them: one at the top, or lists,
 * also flattened ones, or lists of ids. What says nothing by which an item could be found is left out.
 */
export function itemsNamedIn(properties: JsonObject): NamedItem[] {
  const found: NamedItem[] = [];
  const add = (item: NamedItem | undefined) => {
    if (item && found.length < MAX_ITEMS_OF_EVENT) found.push(item);
  };
  const { own, flattened } = split(properties);
  add(itemFrom(own, isObject(valueNamed(own, 'variant'))));
  for (const item of flattened) add(itemFrom(item, true));
  for (const [name, value] of own) {
    const kind = LISTS_OF_IDS.get(name);
    if (kind && Array.isArray(value)) for (const one of value.slice(0, MAX_ITEMS_OF_EVENT)) add(only(kind, one));
    for (const item of itemsOf(name, value)) add(itemFrom(namesOf(item), true));
  }
  return found;
}

/** The currency of an event (ISO 4217), if a property of the usual names says one. */
export function currencyOf(properties: JsonObject): string | undefined {
  const values = namesOf(properties).flatMap(([name, value]) => (CURRENCIES.has(name) ? texts(value) : []));
  return values.map((value) => value.toUpperCase()).find((value) => /^[A-Z]{3}$/.test(value));
}

type Named = readonly (readonly [name: string, value: unknown])[];

function* itemsOf(name: string, value: unknown): Generator<JsonObject> {
  if (LISTS.has(name) && Array.isArray(value)) {
    yield* value.slice(0, MAX_ITEMS_OF_EVENT).filter(isObject);
  } else if (AROUND.has(name) && isObject(value)) {
    for (const [inner, list] of namesOf(value)) if (LISTS.has(inner)) yield* itemsOf(inner, list);
  }
}

/** The properties, and the items of lists that were flattened, in their order. */
function split(properties: JsonObject): { own: Named; flattened: Named[] } {
  const own: [string, unknown][] = [];
  const flattened = new Map<string, [string, unknown][]>();
  for (const [name, value] of Object.entries(properties)) {
    const [, list, n, member] = (name.includes('[') && FLATTENED.exec(name)) || [];
    if (list === undefined || member === undefined) own.push([plain(name), value]);
    else if (LISTS.has(plain(list))) {
      const key = `${plain(list)} ${Number(n)}`;
      const item = flattened.get(key) ?? [];
      item.push([plain(member), value]);
      flattened.set(key, item);
    }
  }
  return { own, flattened: [...flattened.values()] };
}

/** `takesId`: an `id` by itself may be that of anything, such as an order. */
function itemFrom(named: Named, takesId: boolean): NamedItem | undefined {
  const within = (from: Named, ...names: readonly string[]): Named => {
    const value = names.map((name) => valueNamed(from, name)).find(isObject);
    return value ? namesOf(value) : [];
  };
  const variant = within(named, 'variant', 'merchandise');
  const product = [...within(named, 'product', 'item'), ...within(variant, 'product')];
  const read = (from: Named, names: ReadonlySet<string>) =>
    from.flatMap(([name, value]) => (names.has(name) ? texts(value) : []));
  const ID = new Set(['id']);
  const ids = [...read(named, IDS), ...read(product, ID), ...read(variant, IDS), ...(takesId ? read(named, ID) : [])];
  const variantIds = [...read(named, VARIANT_IDS), ...read(variant, ID)];
  const skus = [...read(variant, SKUS), ...read(named, SKUS), ...read(product, SKUS)];
  if (ids.length + variantIds.length + skus.length === 0) return undefined;
  return { ids: distinct(ids), variantIds: distinct(variantIds), skus: distinct(skus) };
}

function only(kind: keyof NamedItem, value: unknown): NamedItem | undefined {
  const found = texts(value);
  return found.length === 0 ? undefined : { ids: [], variantIds: [], skus: [], [kind]: found };
}

function texts(value: unknown): string[] {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [String(value)] : [];
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > MAX_ID || !text.isWellFormed() ? [] : [text];
}

const distinct = (all: readonly string[]) => [...new Set(all)].slice(0, 3);
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const namesOf = (object: JsonObject): Named =>
  Object.entries(object).map(([name, value]) => [plain(name), value] as const);
const valueNamed = (named: Named, name: string) => named.find(([one]) => one === name)?.[1];

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
