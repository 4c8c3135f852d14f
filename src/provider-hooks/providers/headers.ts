import { fieldsOf, textOf } from '../values.ts';

/** Headers of a message that are looked at. */
const MOST = 200;

/** The value of a header in a list as `[{ name, value }]`. */
export function headerIn(headers: unknown, name: string): string | undefined {
  if (!Array.isArray(headers)) return undefined;
  const found = headers
    .slice(0, MOST)
    .map(fieldsOf)
    .find((header) => textOf(header.name)?.toLowerCase() === name.toLowerCase());
  return textOf(found?.value);
}
