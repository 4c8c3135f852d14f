/** What Klaviyo says and Liquid has no equal for; the message names it, as "the filter “x”". */
export class NoEqual extends Error {}

export type Operand =
  | { kind: 'text'; text: string }
  | { kind: 'number'; text: string }
  /** Names with dots between them, as `person.first_name`. */
  | { kind: 'path'; names: readonly string[] };

/** As `person|lookup:'A b'|default:'x'`. */
export interface Value {
  base: Operand;
  filters: readonly { name: string; args: readonly Operand[] }[];
}

export type Comparison = '==' | '!=' | '<' | '>' | '<=' | '>=' | 'in' | 'not in';

/** A value that is to be true, or a comparison. */
export interface Term {
  isNegated: boolean;
  left: Value;
  operator?: Comparison;
  right?: Value;
}

const TOKEN =
  /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?\d+(?:\.\d+)?)(?![\w.$])|([A-Za-z_$][\w$-]*(?:\.[\w$-]+)*)|([=!]=|[<>]=?|[|:,=]))/y;

interface Lexeme {
  kind: 'text' | 'number' | 'name' | 'sign';
  text: string;
}

/** Reads what stands in an output or after the name of a tag. */
export class ExpressionReader {
  readonly #lexemes: Lexeme[] = [];
  #next = 0;

  constructor(source: string) {
    TOKEN.lastIndex = 0;
    let end = 0;
    for (let match = TOKEN.exec(source); match; match = TOKEN.exec(source)) {
      const [, text, number, name, sign] = match;
      end = TOKEN.lastIndex;
      if (text !== undefined) this.#lexemes.push({ kind: 'text', text: unquoted(text) });
      else if (number !== undefined) this.#lexemes.push({ kind: 'number', text: number });
      else if (name !== undefined) this.#lexemes.push({ kind: 'name', text: name });
      else this.#lexemes.push({ kind: 'sign', text: sign as string });
    }
    const rest = source.slice(end).trim();
    if (rest !== '') throw new NoEqual(`“${rest.slice(0, 20)}”`);
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#lexemes.length;
  }

  /** A value after which nothing else stands. */
  whole(): Value {
    const value = this.value();
    this.expectEnd();
    return value;
  }

  value(): Value {
    const base = this.operand();
    const filters: { name: string; args: Operand[] }[] = [];
    while (this.takes('|')) {
      const name = this.name();
      const args: Operand[] = [];
      if (this.takes(':')) {
        do args.push(this.operand());
        while (this.takes(','));
      }
      filters.push({ name, args });
    }
    return { base, filters };
  }

  operand(): Operand {
    const { kind, text } = this.#take();
    if (kind === 'sign') throw new NoEqual(`“${text}”`);
    return kind === 'name' ? { kind: 'path', names: text.split('.') } : { kind, text };
  }

  name(): string {
    const { kind, text } = this.#take();
    if (kind !== 'name') throw new NoEqual(`“${text}”`);
    return text;
  }

  /** Whether a sign or a word is next, which it then takes. */
  takes(text: string): boolean {
    const next = this.#lexemes[this.#next];
    if (next?.text !== text || (next.kind !== 'sign' && next.kind !== 'name')) return false;
    this.#next += 1;
    return true;
  }

  expectEnd(): void {
    if (!this.isAtEnd) throw new NoEqual(`“${this.#lexemes[this.#next]?.text}”`);
  }

  /** Alternatives, each of which is terms that all hold. */
  condition(): Term[][] {
    const alternatives: Term[][] = [];
    do {
      const terms: Term[] = [];
      do terms.push(this.#term());
      while (this.takes('and'));
      alternatives.push(terms);
    } while (this.takes('or'));
    this.expectEnd();
    return alternatives;
  }

  #term(): Term {
    let isNegated = false;
    while (this.takes('not')) isNegated = !isNegated;
    const left = this.value();
    const operator = this.#operator();
    return operator === undefined ? { isNegated, left } : { isNegated, left, operator, right: this.value() };
  }

  #operator(): Comparison | undefined {
    for (const operator of ['==', '!=', '<=', '>=', '<', '>', 'in'] as const) if (this.takes(operator)) return operator;
    if (this.takes('=')) return '==';
    if (this.takes('is')) return this.takes('not') ? '!=' : '==';
    if (!this.takes('not')) return undefined;
    if (!this.takes('in')) throw new NoEqual('“not”');
    return 'not in';
  }

  #take(): Lexeme {
    const lexeme = this.#lexemes[this.#next];
    if (!lexeme) throw new NoEqual('what is not finished');
    this.#next += 1;
    return lexeme;
  }
}

const unquoted = (text: string) => text.slice(1, -1).replaceAll(/\\(.)/g, '$1');
