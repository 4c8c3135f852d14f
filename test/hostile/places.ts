/** A member of an object or list in a document, as the steps that lead to it. */
export type Place = readonly (string | number)[];

/** The places of a document: of the items of a list only those of the first, for the others are like it. */
export function placesOf(value: unknown, path: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()].slice(0, 1)
    : Object.entries(value);
  return [path, ...entries.flatMap(([key, item]) => placesOf(item, [...path, key]))];
}

/** The document as JSON, with some text in a place. */
export function withText(document: unknown, place: Place, text: string): string {
  const mark = '\u0001mark\u0001';
  const marked = JSON.stringify(withValue(document, place, mark));
  return marked.replace(JSON.stringify(mark), () => text);
}

/** The document with another value in a place, without its member there for undefined. */
export function withValue(document: unknown, place: Place, value: unknown): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return value;
  const copy: any = Array.isArray(document) ? [...document] : { ...(document as object) };
  copy[step] = withValue(copy[step], rest, value);
  return copy;
}

export function valueAt(document: unknown, place: Place): unknown {
  return place.reduce<any>((value, step) => value?.[step], document);
}

/** The document without what would make a second request with it a repeat of the first. */
export function withoutKeys(document: unknown): unknown {
  return JSON.parse(
    JSON.stringify(document, (name, value) => (/^(?:idempotency_key|unique_id)$/.test(name) ? undefined : value)),
  );
}
