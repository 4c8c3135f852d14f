const SERVER = 'https://footfall.example.com';

/** What the service says otherwise than the examples do, and how it has to look then. */
const VOLATILE: readonly [RegExp, (shown: string) => string][] = [
  [/https:\/\/footfall\.example\.com/, () => 'http://[\\w.:]+'],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/, () => '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'],
  // The examples happen in that month; any other time is one that was sent.
  [/2026-11-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|\+00:00)/, (shown) => shown.replaceAll(/\d/g, '\\d').replace('+', '\\+')],
  // Where a service that is told no address of its own is.
  [/http:\/\/127\.0\.0\.1:3000/, () => 'http://127\\.0\\.0\\.1:\\d+'],
  [
    /[A-Z][a-z]{2}, \d\d Nov 2026 \d\d:\d\d:\d\d \+0000/,
    () => '[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} [\\d:]{8} \\+0000',
  ],
  [/ffk_(?:X{38}|Y{38})/, () => 'ffk_\\w{38}'],
  [/whsec_[ABC]{43}=/, () => 'whsec_[\\w+/]{43}='],
  // A cursor.
  [/(?<![\w-])[\w-]{40,}(?![\w-])/, () => '[\\w-]+'],
];
const ANY_VOLATILE = new RegExp(VOLATILE.map(([{ source }]) => source).join('|'), 'g');
const UUID = VOLATILE[1]?.[0] as RegExp;

/**
 * Between what the examples of a spec say and what a service says in its place: it gives ids, times, keys and cursors of
 * its own, but always the same for the same one. Everything else has to be as it is shown.
 */
export class Translation {
  #known: Map<string, string>;

  constructor(url: string) {
    this.#known = new Map([[SERVER, url]]);
  }

  /** Something that an example shows, in the words of the service as far as they are known. */
  toService<Value>(shown: Value): Value {
    if (shown === undefined) return shown;
    return JSON.parse(JSON.stringify(shown).replaceAll(ANY_VOLATILE, (text) => this.#known.get(text) ?? text));
  }

  /** The first thing in an answer that is not as it is shown; undefined where all is, and then learns from it. */
  difference(shown: unknown, answered: unknown): string | undefined {
    const known = new Map(this.#known);
    const difference = compare(shown, answered, known, '');
    if (difference === undefined) this.#known = known;
    return difference;
  }
}

function compare(shown: unknown, answered: unknown, known: Map<string, string>, path: string): string | undefined {
  const differs = `${path || 'it'} is ${JSON.stringify(answered)} and not ${JSON.stringify(shown)}`;
  if (typeof shown === 'string' && typeof answered === 'string') {
    return isTranslation(shown, answered, known) ? undefined : differs;
  }
  // How often a key was used, and how long something took: as it happens.
  if (/\.(?:used|(?:duration_)?ms)$/.test(path) && shown && answered)
    return typeof answered === 'number' ? undefined : differs;
  if (!isObject(shown) || !isObject(answered)) return Object.is(shown, answered) ? undefined : differs;
  if (Array.isArray(shown) !== Array.isArray(answered)) return differs;
  const names = new Set([...Object.keys(shown), ...Object.keys(answered)]);
  for (const name of names) {
    const difference = compare(shown[name], answered[name], known, `${path}.${name}`);
    if (difference) return difference;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Whether a text is the shown one but for what is volatile, and that as it is known; learns what is not. */
function isTranslation(shown: string, answered: string, known: Map<string, string>): boolean {
  const volatile = shown.match(ANY_VOLATILE) ?? [];
  if (volatile.length === 0) return shown === answered;
  const parts = shown.split(ANY_VOLATILE).map((part) => RegExp.escape(part));
  const pattern = parts.reduce((text, part, i) => `${text}(${formOf(volatile[i - 1] as string)})${part}`);
  const [, ...found] = new RegExp(`^${pattern}$`).exec(answered) ?? [];
  return volatile.every((text, i) => {
    const word = found[i];
    const before = known.get(text);
    if (word === undefined || (before !== undefined && before !== word)) return false;
    // One id does not stand for two.
    if (before === undefined && UUID.test(text) && [...known.values()].includes(word)) return false;
    known.set(text, word);
    return true;
  });
}

function formOf(shown: string): string {
  const [, form] = VOLATILE.find(([pattern]) =>
    new RegExp(`^(?:${pattern.source})$`).test(shown),
  ) as (typeof VOLATILE)[0];
  return form(shown);
}
