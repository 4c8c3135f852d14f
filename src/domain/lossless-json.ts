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
  if (typeof value === 'number' && context?.source !== undefined && !isLossless(context.source, value)) {
    return Symbol('is a number that would lose digits; send it as a string');
  }
  return value;
}

function problemOfText(text: string): string | undefined {
  const nul = text.indexOf('\0');
  if (nul !== -1) return `contains a NUL character${lineOf(text, nul)}`;
  if (!text.isWellFormed()) return 'contains a lone surrogate';
  return undefined;
}

/** Of a text with several lines, such as a file. */
function lineOf(text: string, place: number): string {
  const breaks = /\r\n|\r|\n/g;
  if (!breaks.test(text)) return '';
  return ` on its line ${text.slice(0, place).split(breaks).length}`;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether a text is a number in the form of JSON, exact or not. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text.trim());
}

/** Returns the number that a JSON number literal stands for; undefined if it is not one or would lose digits. */
export function exactNumber(text: string): number | undefined {
  const source = text.trim();
  if (!NUMBER.test(source)) return undefined;
  const number = Number(source);
  return isLossless(source, number) ? number : undefined;
}

/**
 * Whether the double of a literal says all that the literal does: it has the same digits, or the literal is what it is when
 * printed with so many, as other languages do (`47.950000000000003` is 47.95, and `36028797018963968` is 2 to the 55th).
 */
function isLossless(source: string, number: number): boolean {
  const literal = significant(source);
  const shortest = significant(String(number));
  if (literal.digits === shortest.digits && literal.exponent === shortest.exponent) return true;
  return isPrintOf(literal, number);
}

/** The digits of a number without zeros at either end, and the exponent of the last of them. */
interface Significant {
  digits: string;
  exponent: number;
}

/** `1.50` and `15e-1` → `15`, -1. */
function significant(source: string): Significant {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  // Not by a regular expression: on a long run of zeros before the end it takes quadratic time.
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  if (end === 0) return { digits: '0', exponent: 0 };
  return { digits: all.slice(0, end), exponent: Number(exponent) - fraction.length + all.length - end };
}

/** Of what any double is exactly. */
const MAX_DIGITS = 767;
const MANTISSA_BITS = 52n;
/** The exponent of the last bit of a double whose exponent bits are 0. */
const LEAST_POWER = -1075;
const double = new DataView(new ArrayBuffer(8));

/** Whether a number is at most half a unit of the last digit away from a double. */
function isPrintOf({ digits, exponent }: Significant, number: number): boolean {
  if (number === 0 || !Number.isFinite(number) || digits.length > MAX_DIGITS) return false;
  double.setFloat64(0, Math.abs(number));
  const bits = double.getBigUint64(0);
  const biased = bits >> MANTISSA_BITS;
  const fraction = BigInt.asUintN(Number(MANTISSA_BITS), bits);
  const mantissa = biased === 0n ? fraction : fraction | (1n << MANTISSA_BITS);
  const power = Math.max(Number(biased), 1) + LEAST_POWER;
  // Both as multiples of the same, so that nothing is rounded.
  const unit = (10n ** BigInt(Math.max(exponent, 0))) << BigInt(Math.max(-power, 0));
  const exact = (mantissa * 10n ** BigInt(Math.max(-exponent, 0))) << BigInt(Math.max(power, 0));
  const apart = 2n * (BigInt(digits) * unit - exact);
  return apart <= unit && -apart <= unit;
}
