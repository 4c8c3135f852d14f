import { allPlans, type NumberingPlan, planOfCountry, planOfNumber } from './numbering-plans.ts';
import { type Canonical, canonical } from './spellings.ts';
import { isAscii, withAsciiDigits } from './text.ts';

/** Spaces, brackets, dots and dashes that people part digits with; `pattern` in the specs says the same. */
const SEPARATORS = /[\s().\-/[\]·~\u2010-\u2015\u2043\u2212\u2215\u223c\u301c\u30fb\u30fc]/gu;
/** What is copied with a number and not seen. */
const HIDDEN = /[\u034f\ufe0e\ufe0f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164]/g;
/** Small, fullwidth and halfwidth forms. Other compatible characters may mean something else: a footnote, `²`. */
const OTHER_WIDTHS = /[\ufe58\ufe62\ufe63\uff08-\uff5e\uff65\uff70]/g;
/** Digits there are ornaments. */
const BEYOND_FIRST_PLANE = /[^\0-\uffff]/u;
const ASCII_SEPARATORS = /[\s().\-/[\]~]/g;
const INTERNATIONAL = /^\+\d{5,15}$/;
const PHONE = /^\+?\d{5,15}$/;
/** What may be dialled: before an international number, there are up to five digits more. */
const DIALLED = /^(?:\+\d{5,15}|\d{5,20})$/;
const MAX_DIGITS = 15;
/** What is dialled before an international number in most countries. */
const USUAL_EXIT = /^00/;
const USUAL_EXITS = [USUAL_EXIT, /^011/, /^0011/, /^810/, /^010/, /^009/, /^119/];
/** What the version before took for separators. */
const FORMER_SEPARATORS = /[\s().\-/·‐-―]/gu;
/** A national prefix that is marked as such in an international number: `+44 (0)20`. */
const MARKED_ZERO = /^\D*\d[^(]*\(\s*0\s*\)/;
/** Digits from which on a number may lack the national prefix of its country: shorter ones may lack their area as well. */
const MIN_WITHOUT_TRUNK = 9;
/** Digits of a whole number as it is dialled within a country: of fewer, too many countries have one. */
const NATIONAL = /^\d{7,15}$/;

/**
 * Reads a telephone number: without separators and invisible characters, with the digits of ASCII, and without a national
 * prefix after its calling code where the country's numbers have none there. A number without `+` becomes an
 * international one where `country` (ISO 3166) is given and says how, or where it is too long for any other; otherwise it
 * stays as it is. Undefined if that is not an optional `+` and 5 to 15 digits.
 */
export function readPhone(given: string, country: string | null): Canonical | undefined {
  // Most are, and without anything to remove.
  if (INTERNATIONAL.test(given) && planOfNumber(given, 1)?.international.test(given)) return { value: given };
  const text = isAscii(given) ? given : toAscii(given);
  const compact = PHONE.test(text) ? text : withoutSeparators(text);
  if (!DIALLED.test(compact)) return undefined;
  const value = compact.startsWith('+')
    ? `+${withoutTrunk(compact.slice(1), text !== compact && MARKED_ZERO.test(text))}`
    : (country && toInternational(compact, planOfCountry(country))) || dialledAbroad(compact) || compact;
  if (!PHONE.test(value)) return undefined;
  if (value === given) return { value };
  const former = given.replace(FORMER_SEPARATORS, '');
  return canonical(value, { shown: value, owned: [value], lookedUp: PHONE.test(former) ? [former, value] : [value] });
}

/** The beginning of a number, to be compared with those that are stored. */
export function canonicalPhonePrefix(given: string): string {
  return withoutSeparators(isAscii(given) ? given : toAscii(given));
}

/**
 * Reads what somebody types who looks for a number, also as it is dialled in a country (ISO 3166) where one is given: a
 * whole one, or the beginning of those that are stored.
 */
export function readPhoneSearch(given: string, country: string | null): { whole: Canonical } | { beginning: string } {
  const beginning = canonicalPhonePrefix(given);
  const whole = readPhone(given, country);
  if (whole && whole.value !== beginning) return { whole };
  if (beginning.startsWith('+')) return { beginning };
  const plan = country === null ? undefined : planOfCountry(country);
  const [trunk] = (plan?.trunk && !beginning.startsWith('00') && plan.trunk.prefix.exec(beginning)) || [];
  if (!plan || !trunk || plan.trunk?.replacement !== undefined) return { beginning };
  return { beginning: `+${plan.callingCode}${beginning.slice(trunk.length)}` };
}

/**
 * Reads what somebody types who looks for a number in whatever notation: the same, and also as it may be dialled from abroad,
 * as an international one without its `+`, as the beginning of a longer one, and as a whole one of any country. The likeliest comes
 * first.
 */
export function phoneSearches(
  given: string,
  country: string | null,
): ({ whole: Canonical } | { beginning: string } | { values: readonly string[] })[] {
  const typed = canonicalPhonePrefix(given);
  const read = readPhoneSearch(given, country);
  const exit = (country === null ? undefined : planOfCountry(country))?.exit;
  const abroad = [exit, USUAL_EXIT].map((one) => one?.exec(typed)?.[0]).find((prefix) => prefix !== undefined);
  const beginnings = new Set([
    'whole' in read ? read.whole.value : read.beginning,
    ...(abroad === undefined || abroad === typed ? [] : [`+${typed.slice(abroad.length)}`]),
    ...(/^[1-9]/.test(typed) ? [`+${typed}`] : []),
    typed,
  ]);
  return [
    ...('whole' in read ? [read] : []),
    ...[...beginnings].map((beginning) => ({ beginning })),
    ...(NATIONAL.test(typed) ? [{ values: numbersOfCountries(typed) }] : []),
  ];
}

/** The international numbers that digits are where they are dialled, in whatever country. */
function numbersOfCountries(digits: string): string[] {
  const numbers = allPlans().flatMap((plan) => {
    const national = nationalNumber(digits, plan);
    return national === undefined ? [] : [`+${plan.callingCode}${national}`];
  });
  return [...new Set(numbers)];
}

function toAscii(text: string): string {
  if (BEYOND_FIRST_PLANE.test(text)) return text;
  return withAsciiDigits(text.replace(HIDDEN, '').replace(OTHER_WIDTHS, (form) => form.normalize('NFKC')));
}

function withoutSeparators(text: string): string {
  return text.replace(isAscii(text) ? ASCII_SEPARATORS : SEPARATORS, '');
}

/** Removes a national prefix from the digits of an international number, if it can only be one. */
function withoutTrunk(digits: string, isMarked: boolean): string {
  const plan = planOfNumber(digits);
  if (!plan) return digits;
  const { callingCode, national } = plan;
  const rest = digits.slice(callingCode.length);
  const unmarked = isMarked && rest.startsWith('0') && !national.test(rest) ? rest.slice(1) : rest;
  const found = national.test(unmarked) ? unmarked : nationalNumber(rest, plan);
  return found === undefined ? digits : callingCode + found;
}

/** Returns the national number as it follows the calling code; undefined if the digits are none. */
function nationalNumber(digits: string, { national, trunk }: NumberingPlan): string | undefined {
  if (national.test(digits)) return digits;
  const match = trunk?.prefix.exec(digits);
  if (!trunk || !match) return undefined;
  const isReplaced = trunk.replacement !== undefined && match.at(-1) !== undefined;
  const start = isReplaced ? match[0].replace(trunk.prefix, trunk.replacement as string) : '';
  const rest = start + digits.slice(match[0].length);
  return national.test(rest) ? rest : undefined;
}

/** Returns the international number of digits that are dialled in a country; undefined if they may be anything else. */
function toInternational(digits: string, plan: NumberingPlan | undefined): string | undefined {
  if (!plan) return undefined;
  const { callingCode, national, trunk } = plan;
  const abroad = afterExit(digits, plan.exit);
  if (abroad !== undefined) return abroad;
  const isWhole = !trunk || !national.test(digits) || digits.length >= MIN_WITHOUT_TRUNK;
  const found = isWhole ? nationalNumber(digits, plan) : undefined;
  if (found !== undefined) return `+${callingCode}${found}`;
  if (digits.startsWith(callingCode) && nationalNumber(digits.slice(callingCode.length), plan) !== undefined) {
    return `+${withoutTrunk(digits, false)}`;
  }
  // The usual one, also in countries that have another.
  return afterExit(digits, USUAL_EXIT);
}

/** Reads digits that are too many for a number, so that they can only be one with what is dialled before it. */
function dialledAbroad(digits: string): string | undefined {
  if (digits.length <= MAX_DIGITS) return undefined;
  for (const exit of USUAL_EXITS) {
    const number = afterExit(digits, exit);
    if (number !== undefined) return number;
  }
  return undefined;
}

function afterExit(digits: string, exit: RegExp): string | undefined {
  const [prefix] = exit.exec(digits) ?? [];
  if (prefix === undefined) return undefined;
  const number = digits.slice(prefix.length);
  const plan = planOfNumber(number);
  return plan && nationalNumber(number.slice(plan.callingCode.length), plan) !== undefined
    ? `+${withoutTrunk(number, false)}`
    : undefined;
}
