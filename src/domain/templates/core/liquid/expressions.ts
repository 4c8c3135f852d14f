import {
  defaultOperators,
  type FilteredValueToken,
  LiquidError,
  type PropertyAccessToken,
  type Token,
  Tokenizer,
  TypeGuards,
} from 'liquidjs';
import type { Report } from '../problems.ts';
import { FILTER_NAMES } from './engines.ts';

/** A value that a template reads: its names, as far as they are known before it is rendered. */
export interface Read {
  path: string[];
  at: number;
  /** Whether a `default` stands for it where it is missing. */
  hasDefault: boolean;
}

export interface Expression {
  reads: Read[];
  filters: { name: string; begin: number }[];
}

/** Property names and lists of arguments within one another. */
const MAX_DEPTH = 10;

/** Reads what stands in a tag or an output, from one character to another, and reports what is wrong in it. */
export class ExpressionReader {
  readonly tokenizer: Tokenizer;
  readonly #report: Report;

  constructor(source: string, [from, to]: [number, number], report: Report) {
    this.tokenizer = new Tokenizer(source, defaultOperators, undefined, [from, to]);
    this.#report = report;
  }

  /** A value with its filters, after which nothing else stands; undefined where there is none. */
  filtered(): Expression | undefined {
    const token = this.#read(() => this.tokenizer.readFilteredValue());
    if (!token || !this.end()) return undefined;
    return this.#checkOperators(token) ? this.#expressionOf(token) : undefined;
  }

  /** A value without filters. */
  value(): Token | undefined {
    return this.#read(() => this.tokenizer.readValueOrThrow());
  }

  /** The name of a variable. */
  name(): { content: string; begin: number } | undefined {
    const token = this.#read(() => this.tokenizer.readIdentifier());
    if (!token?.content) return this.#fail('A name is missing', this.tokenizer.p);
    return token;
  }

  /** Whether nothing is left; reports what is. */
  end(): boolean {
    this.tokenizer.skipBlank();
    const { p, N, input } = this.tokenizer;
    // A `|` after which no filter stands.
    if (p >= N && !/\|\s*$/.test(input.slice(Math.max(0, N - 50), N))) return true;
    this.#fail(`“${input.slice(p >= N ? N - 1 : p, Math.min(N, p + 20))}” is not expected here`, Math.min(p, N - 1));
    return false;
  }

  /** All that a value reads. */
  readsOf(token: Token | undefined, hasDefault: boolean, depth = 0): Read[] {
    if (!token) return [];
    if (depth > MAX_DEPTH) {
      this.#fail('Brackets stand in one another too deeply', token.begin);
      return [];
    }
    if (TypeGuards.isQuotedToken(token)) this.#expectClosed(token);
    if (TypeGuards.isRangeToken(token)) this.#fail('A range such as (1..5) stands in “for” only', token.begin);
    return TypeGuards.isPropertyAccessToken(token) ? this.#readsOfAccess(token, hasDefault, depth) : [];
  }

  #expressionOf({ initial, filters }: FilteredValueToken): Expression {
    for (const { name, begin } of filters) {
      if (!FILTER_NAMES.has(name)) {
        this.#report({ code: 'unknown_filter', message: `There is no filter “${name}”`, at: begin });
      }
    }
    const hasDefault = filters.some(({ name }) => name === 'default');
    const args = filters.flatMap(({ args }) => args.map((arg) => (Array.isArray(arg) ? arg[1] : arg)));
    return {
      filters,
      reads: [
        ...initial.postfix.flatMap((token) => this.readsOf(token, hasDefault)),
        ...args.flatMap((arg) => this.readsOf(arg, false)),
      ],
    };
  }

  #readsOfAccess({ variable, props, begin }: PropertyAccessToken, hasDefault: boolean, depth: number): Read[] {
    if (variable) {
      this.#fail('Only values of the data have properties', begin);
      return [];
    }
    const path: string[] = [];
    let isKnown = true;
    const inner: Read[] = [];
    for (const prop of props) {
      const name = nameOf(prop);
      if (name === '') this.#fail('A name is missing between the brackets', prop.begin);
      if (name === undefined) isKnown = false;
      else if (isKnown) path.push(name);
      if (!TypeGuards.isWordToken(prop)) inner.push(...this.readsOf(prop, false, depth + 1));
    }
    if (path.length === 0) this.#fail('A value is named, as in profile.attributes["first_name"]', begin);
    return [{ path, at: begin, hasDefault }, ...inner];
  }

  /** liquidjs ignores a value after another. */
  #checkOperators({ initial, begin }: FilteredValueToken): boolean {
    let values = 0;
    for (const token of initial.postfix) {
      if (!TypeGuards.isOperatorToken(token)) values += 1;
      else if (token.operator === 'not') values = values > 0 ? values : Number.NaN;
      else values = values > 1 ? values - 1 : Number.NaN;
    }
    if (values === 1) return true;
    this.#fail('This is no value, nor a comparison of values', begin);
    return false;
  }

  #expectClosed(token: Token): void {
    const text = token.getText();
    if (text.length < 2 || text.at(-1) !== text[0]) this.#fail('A quotation mark is missing', token.begin);
  }

  #read<Result>(read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      return this.#fail(...describeError(error, this.tokenizer.p));
    }
  }

  #fail(message: string, at: number): undefined {
    this.#report({ code: 'syntax_error', message, at });
  }
}

/** Returns what liquidjs says is wrong, and where. */
export function describeError(error: unknown, otherwise: number): [message: string, at: number] {
  if (!LiquidError.is(error)) return ['This is too deep or too long to be read', otherwise];
  const { message, token } = error as LiquidError & { token?: Token };
  const text = message.replace(/, line:\d+, col:\d+$/, '');
  return [text.charAt(0).toUpperCase() + text.slice(1), token?.begin ?? otherwise];
}

/** Undefined where only the data says which. */
function nameOf(prop: Token): string | undefined {
  if (TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop)) return prop.content;
  return TypeGuards.isNumberToken(prop) ? String(prop.content) : undefined;
}
