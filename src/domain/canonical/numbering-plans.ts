import { COUNTRIES } from './countries.ts';

/** How a country's numbers are dialled. */
export interface NumberingPlan {
  callingCode: string;
  /** A whole international number. */
  international: RegExp;
  /** What is dialled before an international number. */
  exit: RegExp;
  /** A whole national number, as it follows the calling code. */
  national: RegExp;
  /** What is dialled before a national number, and what takes its place; null where there is nothing. */
  trunk: { prefix: RegExp; replacement: string | undefined } | null;
}

const LINES = COUNTRIES.map((line): [country: string, code: string, line: string] => {
  const [country = '', code = ''] = line.split(' ', 2);
  return [country, code, line];
});
const BY_COUNTRY = new Map(LINES.map(([country, , line]) => [country, line]));
/** The first country of each calling code. By numbers, as each look-up of a piece of text would make one. */
const BY_CODE = new Map(LINES.toReversed().map(([, code, line]) => [Number(code), line]));
const plansByCode = new Map<number, NumberingPlan | undefined>();
const MAX_CODE = 3;
const ZERO = '0'.charCodeAt(0);

const plans = new Map<string, NumberingPlan>();

/** Returns the plan of a country by its code of ISO 3166. */
export function planOfCountry(country: string): NumberingPlan | undefined {
  return planOf(BY_COUNTRY.get(country));
}

/** Returns the plan of the calling code with which the digits of an international number begin, from an index on. */
export function planOfNumber(digits: string, from = 0): NumberingPlan | undefined {
  let code = 0;
  for (let i = from; i < from + MAX_CODE && i < digits.length; i += 1) {
    code = code * 10 + digits.charCodeAt(i) - ZERO;
    if (!BY_CODE.has(code)) continue;
    if (!plansByCode.has(code)) plansByCode.set(code, planOf(BY_CODE.get(code)));
    return plansByCode.get(code);
  }
  return undefined;
}

/** Returns those of all countries. */
export function allPlans(): NumberingPlan[] {
  return [...BY_COUNTRY.values()].map((line) => planOf(line) as NumberingPlan);
}

/** Expressions are compiled when they are needed: of most countries, seldom. */
function planOf(line: string | undefined): NumberingPlan | undefined {
  if (line === undefined) return undefined;
  const known = plans.get(line);
  if (known) return known;
  const [, callingCode = '', exit = '', national = '', prefix, replacement] = line.split(' ');
  const plan: NumberingPlan = {
    callingCode,
    international: new RegExp(`^\\+${callingCode}(?:${national})$`),
    exit: new RegExp(`^(?:${exit})`),
    national: new RegExp(`^(?:${national})$`),
    trunk: prefix === undefined ? null : { prefix: new RegExp(`^(?:${prefix})`), replacement },
  };
  plans.set(line, plan);
  return plan;
}
