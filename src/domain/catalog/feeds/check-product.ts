import { jsonbBytes } from '../../../db/jsonb-binary.ts';
import { isVisible } from '../../canonical/text.ts';
import { checkFreeForm } from '../../free-form.ts';
import type { Violation } from '../../service-error.ts';
import { checkPrices } from '../prices.ts';
import type { KnownProduct } from './product.ts';

/** Characters of texts, as the spec of requests has them. */
const LONGEST: Readonly<Record<string, number>> = {
  title: 500,
  description: 32_768,
  brand: 255,
  sku: 255,
  url: 2_048,
  image_url: 2_048,
};
const URLS = ['url', 'image_url'];
const [MAX_CATEGORIES, MAX_CATEGORY, MAX_ATTRIBUTES] = [50, 255, 400];
/** Kilobytes of the attributes of an item, and of a variant. */
const [ITEM_KB, VARIANT_KB] = [100, 4];

/** Returns the first thing for which a product of a file can't be written, as it could not be sent either. */
export function checkProduct({ patch, categories }: KnownProduct): Violation | undefined {
  if (categories.length > MAX_CATEGORIES) {
    return { path: ['categories'], problem: `must not have more than ${MAX_CATEGORIES} items` };
  }
  const title = categories.flat().find((one) => one.length > MAX_CATEGORY || hasUnstorable(one));
  if (title !== undefined) {
    return { path: ['categories'], problem: `must have titles of at most ${MAX_CATEGORY} characters` };
  }
  for (const { id, fields } of [patch, ...(patch.variants ?? [])]) {
    if (hasUnstorable(id)) return { path: ['id'], problem: 'has a character that cannot be stored' };
    if (!isVisible(id)) return { path: ['id'], problem: 'must not consist of invisible characters' };
    const violation = checkFields(fields, fields === patch.fields ? ITEM_KB : VARIANT_KB);
    if (violation) return violation;
  }
  return undefined;
}

function checkFields(fields: object, mostKb: number): Violation | undefined {
  for (const [name, value] of Object.entries(fields)) {
    const problem = typeof value === 'string' ? problemOfText(name, value) : undefined;
    if (problem !== undefined) return { path: [name], problem };
  }
  const { prices, images, attributes } = fields as { prices?: object; images?: string[]; attributes?: object };
  const ofPrices = prices && checkPrices(prices);
  if (ofPrices) return { ...ofPrices, path: ['prices', ...ofPrices.path] };
  const ofImages = images?.map((url) => problemOfText('image_url', url)).find(Boolean);
  if (ofImages) return { path: ['images'], problem: ofImages };
  return attributes && checkAttributes(attributes, mostKb);
}

function problemOfText(name: string, value: string): string | undefined {
  const longest = LONGEST[name] ?? Number.POSITIVE_INFINITY;
  if (value.length > longest) return `must not be longer than ${longest} characters`;
  if (hasUnstorable(value)) return 'has a character that cannot be stored';
  if (name === 'title' && !isVisible(value)) return 'must not consist of invisible characters';
  const isUrl = !URLS.includes(name) || (/^https?:\/\//i.test(value) && URL.canParse(value));
  return isUrl ? undefined : 'must be a URL that begins with https:// or http://';
}

function checkAttributes(attributes: object, mostKb: number): Violation | undefined {
  const path = ['attributes'];
  if (Object.keys(attributes).length > MAX_ATTRIBUTES) {
    return { path, problem: `must not have more than ${MAX_ATTRIBUTES} properties` };
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (hasUnstorable(name) || (typeof value === 'string' && hasUnstorable(value))) {
      return { path: [...path, name.slice(0, 100)], problem: 'has a character that cannot be stored' };
    }
  }
  const violation = checkFreeForm(attributes);
  if (violation) return { ...violation, path: [...path, ...violation.path] };
  if (jsonbBytes(attributes) <= mostKb * 1024) return undefined;
  return { path, problem: `must not take more than ${mostKb} KB as JSON` };
}

function hasUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}
