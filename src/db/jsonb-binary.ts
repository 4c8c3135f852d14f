/**
 * Returns the bytes of a JSON value as Postgres prints a jsonb: with a space after each colon and comma, and every
 * number in full; `1e300` takes 301.
 */
export function jsonbBytes(value: unknown): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value === 'number') return numberBytes(value);
  if (typeof value !== 'object' || value === null) return String(value).length;
  let bytes = 0;
  if (Array.isArray(value)) {
    for (const item of value) bytes += jsonbBytes(item) + SEPARATOR;
  } else {
    for (const key in value) bytes += fieldBytes(key, jsonbBytes((value as Record<string, unknown>)[key]));
  }
  return Math.max(EMPTY, bytes);
}

/**
 * A comma and a space. An object or a list has two brackets and one separator less than parts: the sum of its parts.
 */
export const SEPARATOR = 2;
/** An empty object or list. */
export const EMPTY = 2;

/** Returns the bytes of an object's field and the separator after it, given those of its value. */
export function fieldBytes(key: string, valueBytes: number): number {
  return textBytes(key) + 2 + valueBytes + SEPARATOR;
}

const ESCAPED = /["\\\p{Cc}]/u;

function textBytes(text: string): number {
  return ESCAPED.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2;
}

function numberBytes(value: number): number {
  const text = String(value);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text.length;
  const sign = value < 0 ? 1 : 0;
  const digits = mantissa.replace(/[-.]/g, '').length;
  // JavaScript writes an exponent only if a number has fewer digits than zeros before or after them.
  return Number(exponent) > 0 ? sign + Number(exponent) + 1 : sign + 1 - Number(exponent) + digits;
}
