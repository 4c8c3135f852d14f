import { COUNTRIES } from './countries.ts';

/** How a country's numbers are dialled. */
export interface NumberingPlan {
  callingCode: string;
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
/** The first country of each calling code. */
const BY_CODE = new Map(LINES.toReversed().map(([, code, line]) => [code, line]));
const MAX_CODE = 3;

const plans = new Map<string, NumberingPlan>();

/** Returns the plan of a country by its code of ISO 3166. */
export function planOfCountry(country: string): NumberingPlan | undefined {
  return planOf(BY_COUNTRY.get(country));
}

/** Returns the plan of the calling code with which the digits of an international number begin. */
export function planOfNumber(digits: string): NumberingPlan | undefined {
  for (let length = 1; length <= MAX_CODE; length += 1) {
    const line = BY_CODE.get(digits.slice(0, length));
    if (line !== undefined) return planOf(line);
  }
  return undefined;
}

/** Expressions are compiled when they are needed: of most countries, never. */
function planOf(line: string | undefined): NumberingPlan | undefined {
  if (line === undefined) return undefined;
  const known = plans.get(line);
  if (known) return known;
  const [, callingCode = '', exit = '', national = '', prefix, replacement] = line.split(' ');
  const plan: NumberingPlan = {
    callingCode,
    exit: new RegExp(`^(?:${exit})`),
    national: new RegExp(`^(?:${national})$`),
    trunk: prefix === undefined ? null : { prefix: new RegExp(`^(?:${prefix})`), replacement },
  };
  plans.set(line, plan);
  return plan;
}
