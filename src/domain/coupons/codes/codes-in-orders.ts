import type { JsonObject } from '../../conditions/subject.ts';

/** Codes of one order that are looked for, the first ones; and characters of each. */
const [MAX_CODES, MAX_LENGTH] = [20, 255];

/** Names are compared without case and punctuation: `DiscountCodes`, `discount_codes`, `Discount Codes`. */
const OF_CODES = new Set([
  'discountcode',
  'couponcode',
  'vouchercode',
  'promocode',
  'promotioncode',
  'coupon',
  'discount',
]);
/** In these there may be some, too. */
const AROUND = new Set(['cart', 'order', 'checkout', 'ecommerce', 'extra']);
/** What the code is called of one that is an object. */
const WITHIN = new Set(['code', 'name', 'title']);

/** Finds the codes that an order was placed with: texts, lists of them or of objects, in the forms in which shops send them. */
export function codesInOrder(properties: JsonObject): string[] {
  const found = new Set<string>();
  const collect = (object: JsonObject, isInside: boolean) => {
    for (const [name, value] of Object.entries(object)) {
      const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
      if (OF_CODES.has(plain) || OF_CODES.has(plain.replace(/s$/, '')))
        for (const code of codesOf(value)) found.add(code);
      else if (!isInside && AROUND.has(plain) && isObject(value)) collect(value, true);
    }
  };
  collect(properties, false);
  return [...found].slice(0, MAX_CODES);
}

function codesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.slice(0, MAX_CODES).flatMap((one) => (Array.isArray(one) ? [] : codesOf(one)));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, one]) => (WITHIN.has(name.toLowerCase()) ? textsIn(one) : []));
  return textsIn(value);
}

/** A text may have several, with commas between them. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  return value
    .slice(0, MAX_CODES * MAX_LENGTH)
    .split(',')
    .map((code) => code.trim())
    .filter((code) => code !== '' && code.length <= MAX_LENGTH && code.isWellFormed() && !code.includes('\0'));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
