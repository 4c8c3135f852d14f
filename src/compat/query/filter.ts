import { invalid } from '../../domain/service-error.ts';
import { withPlusSigns } from '../../http/plus-signs.ts';
import { parseLenientTime } from '../lenient-time.ts';

const OPERATORS = [
  'equals',
  'any',
  'greater-than',
  'greater-or-equal',
  'less-than',
  'less-or-equal',
  'has',
  'contains',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** One condition of a filter: `equals(email,"ada@example.com")`. */
export interface Condition {
  operator: Operator;
  field: string;
  /** Its values as texts: one, or for `any` those of its list, or none for `has`. */
  values: string[];
}

/** Maximum conditions of a filter, and levels of `and`. */
const [MAX_CONDITIONS, MAX_DEPTH] = [20, 5];
/** Maximum values of an `any`. */
const MAX_VALUES = 100;

/**
 * A text in quotes. It ends where a value can end: clients quote what they look for as it is, an address with an
 * apostrophe too.
 */
const QUOTED = /"(?:[^"\\]|\\.|"(?! *[,)\]]))*"|'(?:[^'\\]|\\.|'(?! *[,)\]]))*'/y;

/**
 * Parses a filter as clients write them: conditions that must all hold, joined by commas or in `and(…)`, with texts in
 * either kind of quotes, and times and numbers bare. Throws `validation_error` that says where it ends to be one.
 */
export function parseFilter(text: string): Condition[] {
  const conditions = new FilterParser(text).parse();
  if (conditions.length > MAX_CONDITIONS) throw badFilter(`has more than ${MAX_CONDITIONS} conditions`);
  return conditions;
}

/** The error for a condition that an operation does not offer; it names its operator and its field. */
export function unknownCondition({ operator, field }: Condition): Error {
  return badFilter(`can't have the condition ${operator}(${field},…) here`);
}

/**
 * Returns the time in the only value of a condition: ISO 8601, or whole seconds of Unix time. Throws `validation_error`
 * for anything else.
 */
export function timeOf({ operator, field, values }: Condition): Date {
  const [value = ''] = values;
  const time = /^\d{1,11}$/.test(value)
    ? new Date(Number(value) * 1000)
    : parseLenientTime(withPlusSigns('date-time', value));
  if (time) return time;
  throw badFilter(`needs an ISO 8601 time in ${operator}(${field},…)`);
}

function badFilter(problem: string): Error {
  return invalid({ path: ['filter'], problem });
}

class FilterParser {
  readonly #text: string;
  #place = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Condition[] {
    const conditions = this.#conditions(1);
    if (this.#place < this.#text.length) throw this.#unexpected();
    return conditions;
  }

  #conditions(depth: number): Condition[] {
    if (depth > MAX_DEPTH) throw badFilter(`has more than ${MAX_DEPTH} levels`);
    const conditions = this.#condition(depth);
    while (this.#skip(',')) conditions.push(...this.#condition(depth));
    return conditions;
  }

  #condition(depth: number): Condition[] {
    const operator = this.#match(/[a-z-]+/y);
    if (operator === undefined || !this.#skip('(')) throw this.#unexpected();
    if (operator === 'and') {
      const conditions = this.#conditions(depth + 1);
      this.#expect(')');
      return conditions;
    }
    if (!isOperator(operator)) throw badFilter(`has no operator ${operator}`);
    const field = this.#match(/[\w.$-]+/y);
    if (field === undefined) throw this.#unexpected();
    const values = operator === 'has' ? [] : this.#values(operator);
    this.#expect(')');
    return [{ operator, field, values }];
  }

  #values(operator: Operator): string[] {
    this.#expect(',');
    if (!this.#skip('[')) return [this.#value()];
    if (operator !== 'any') throw badFilter(`takes a list only in any(…), not in ${operator}(…)`);
    const values: string[] = [];
    if (this.#skip(']')) return values;
    do values.push(this.#value());
    while (this.#skip(','));
    this.#expect(']');
    if (values.length > MAX_VALUES) throw badFilter(`has more than ${MAX_VALUES} values in any(…)`);
    return values;
  }

  #value(): string {
    const quoted = this.#match(QUOTED);
    if (quoted !== undefined) return decoded(quoted.slice(1, -1).replace(/\\(.)/g, '$1'));
    const bare = this.#match(/[^()[\],"']+/y)?.trim();
    if (bare) return bare;
    throw this.#unexpected();
  }

  #match(pattern: RegExp): string | undefined {
    this.#skipSpaces();
    pattern.lastIndex = this.#place;
    const [match] = pattern.exec(this.#text) ?? [];
    if (match !== undefined) this.#place += match.length;
    return match;
  }

  #skip(character: string): boolean {
    this.#skipSpaces();
    if (this.#text[this.#place] !== character) return false;
    this.#place += 1;
    this.#skipSpaces();
    return true;
  }

  #expect(character: string): void {
    if (!this.#skip(character)) throw this.#unexpected();
  }

  #skipSpaces(): void {
    while (this.#text[this.#place] === ' ') this.#place += 1;
  }

  #unexpected(): Error {
    return badFilter(`is not a filter such as equals(email,"ada@example.com"), from character ${this.#place + 1} on`);
  }
}

function isOperator(word: string): word is Operator {
  return (OPERATORS as readonly string[]).includes(word);
}

/**
 * Some clients encode a value before they encode the whole filter: then its `@` is still `%40`. Others only encode the
 * apostrophe, so that it does not end the quotes.
 */
function decoded(value: string): string {
  if (value.includes('@')) return value.replaceAll('%27', "'");
  if (!value.includes('%40')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
