/** Where a member of an object is in its JSON text. */
export interface Span {
  /** Of its name, from the quotation mark. */
  start: number;
  /** Of its value. */
  value: number;
  /** The character after its value. */
  end: number;
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Finds members of an object in its JSON text, which the service has written itself. Without parsing it, because that
 * would cost several times as much and make other digits of a number.
 */
export function findMembers(text: string, names: readonly string[]): Map<string, Span> {
  const found = new Map<string, Span>();
  const keys = names.map((name) => [name, JSON.stringify(name)] as const).filter(([, key]) => text.includes(key));
  let place = keys.length > 0 ? text.indexOf('"') : -1;
  while (place >= 0 && found.size < keys.length) {
    const afterName = endOfText(text, place);
    let value = afterName;
    while (text.charCodeAt(value) !== COLON) value += 1;
    value += 1;
    const end = endOfValue(text, value);
    const key = keys.find(([, one]) => one.length === afterName - place && text.startsWith(one, place));
    if (key) found.set(key[0], { start: place, value, end });
    place = text.indexOf('"', end);
  }
  return found;
}

/** Returns an object's JSON text without its braces and some of its members. */
export function membersWithout(text: string, spans: readonly Span[]): string {
  let rest = '';
  let place = text.indexOf('{') + 1;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    rest += text.slice(place, start);
    place = text.charCodeAt(end) === COMMA ? end + 1 : end;
  }
  rest = (rest + text.slice(place, text.lastIndexOf('}'))).trim();
  return rest.endsWith(',') ? rest.slice(0, -1) : rest;
}

export function valueAt(text: string, { value, end }: Span): string {
  return text.slice(value, end).trim();
}

/** Returns the place after the text in quotation marks that begins at a place. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Returns the place of the comma or brace that ends a value. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let place = start; place < text.length; place += 1) {
    const character = text.charCodeAt(place);
    if (character === QUOTE) place = endOfText(text, place) - 1;
    else if (character === OPEN_OBJECT || character === OPEN_LIST) depth += 1;
    else if (depth === 0 && (character === COMMA || character === CLOSE_OBJECT)) return place;
    else if (character === CLOSE_OBJECT || character === CLOSE_LIST) depth -= 1;
  }
  return text.length;
}
