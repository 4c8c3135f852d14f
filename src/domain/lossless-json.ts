/**
 * Replaces a value in a parsed body that could not be stored and returned as it was sent; its description says what is
 * wrong, as in `Violation`. A symbol matches no JSON type in any schema.
 */
export type Unstorable = symbol;

/** Returns what is wrong with a value of a parsed body if it can't be stored. */
export function problemOfUnstorable(value: unknown): string | undefined {
  return typeof value === 'symbol' ? value.description : undefined;
}

/**
 * Text that may need the slow parse: escapes of NUL and surrogates, `__proto__` and escapes that may be part of it;
 * numbers with 16 digits or more, and exponents of two digits or more. Doubles and Postgres hold everything else
 * exactly. Two expressions, because one for both takes twice the time.
 */
const SUSPECT_TEXT = /\\u(?:00(?:00|[5-7])|[dD][89a-fA-F])|__proto__/;
const SUSPECT_NUMBER = /\d(?:[\d.]{15}|[eE][+-]?\d\d)/;

/** Parses JSON with an `Unstorable` in place of every value that storing would change. */
export function parseLosslessJson(text: string): unknown {
  return SUSPECT_TEXT.test(text) || SUSPECT_NUMBER.test(text)
    ? JSON.parse(text, markUnstorable as (key: string, value: unknown) => unknown)
    : JSON.parse(text);
}

function markUnstorable(key: string, value: unknown, context?: { source?: string }): unknown {
  const badKey = problemOfText(key) ?? (key === '__proto__' ? 'is not allowed as a name' : undefined);
  if (badKey) return Symbol(badKey);
  if (typeof value === 'string') {
    const problem = problemOfText(value);
    return problem ? Symbol(problem) : value;
  }
  if (typeof value === 'number' && context?.source !== undefined && digits(context.source) !== digits(String(value))) {
    return Symbol('is a number that would lose digits; send it as a string');
  }
  return value;
}

function problemOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character';
  if (!text.isWellFormed()) return 'contains a lone surrogate';
  return undefined;
}

/** Returns the number that a JSON number literal stands for; undefined if it is not one or would lose digits. */
export function exactNumber(text: string): number | undefined {
  const source = text.trim();
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(source)) return undefined;
  const number = Number(source);
  return digits(source) === digits(String(number)) ? number : undefined;
}

/** Returns a number in canonical form: sign, significant digits, exponent. `1.50` and `15e-1` → `15e-1`. */
function digits(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  // Not by a regular expression: on a long run of zeros before the end it takes quadratic time.
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  if (end === 0) return '0';
  // No double has an exponent of more than three digits, so there is no need to compute a longer one.
  if (exponent.length > 9) return source;
  return `${sign}${all.slice(0, end)}e${Number(exponent) - fraction.length + all.length - end}`;
}
