import { type ConditionWriting, writeCondition } from './conditions.ts';
import { toDateFormat } from './date-format.ts';
import { ExpressionReader, NoEqual } from './expression.ts';
import { join, sliceOf, writeValue } from './filters.ts';
import { ownLink } from './names.ts';

type Warn = (message: string) => void;

const WORDS: Readonly<Record<string, string>> = {
  unsubscribe_url: 'Unsubscribe',
  preferences_url: 'Manage preferences',
  view_url: 'View in browser',
};
const TIMES: Readonly<Record<string, string>> = {
  current_year: '%Y',
  current_month: '%-m',
  current_month_name: '%B',
  current_day: '%-d',
  current_weekday: '%A',
  current_timestamp: '%s',
};
/** Tags that only arrange what Liquid does by itself. */
const LEFT_OUT = new Set(['spaceless', 'endspaceless', 'load']);

interface Block {
  tag: string;
  /** Where in what is written it begins; what its later conditions need is named before. */
  at: number;
  /** Whether it stays as it was. */
  isLeft: boolean;
}

/**
 * Says what tags and outputs of Klaviyo are in Liquid; knows in which blocks they stand, and what was written before.
 * Methods throw `NoEqual`.
 */
export class TagWriter {
  readonly #written: string[];
  readonly #blocks: Block[] = [];
  readonly #locals = new Set<string>();
  #named = 0;

  constructor(written: string[]) {
    this.#written = written;
  }

  output(content: string, warn: Warn): string {
    const value = writeValue(new ExpressionReader(content).whole(), { locals: this.#locals, warn });
    return `{{ ${join(value)} }}`;
  }

  /** Has a tag stay as it is, and with it the end of what it begins. */
  leave(tag: string): void {
    if (['if', 'for', 'with', 'ifequal', 'ifnotequal'].includes(tag)) this.#begin(tag, true);
  }

  tag(name: string, rest: string, warn: Warn): string {
    const link = ownLink(name);
    if (link !== undefined) return this.#link(name, link, rest);
    if (Object.hasOwn(TIMES, name)) return `{{ now | date: "${TIMES[name]}" }}`;
    switch (name) {
      case 'if':
        return this.#if(rest, warn);
      case 'elif':
        return this.#elif(rest, warn);
      case 'ifequal':
      case 'ifnotequal':
        return this.#ifEqual(name, rest, warn);
      case 'for':
        return this.#for(rest, warn);
      case 'empty':
      case 'else':
        return '{% else %}';
      case 'with':
        return this.#with(rest, warn);
      case 'endif':
      case 'endfor':
      case 'endwith':
      case 'endifequal':
      case 'endifnotequal':
        return this.#end(name);
      case 'now':
      case 'today':
        return this.#now(rest);
      case 'currency_format':
        return `{{ ${join(writeValue(new ExpressionReader(rest).whole(), { locals: this.#locals, warn }))} | money }}`;
      default:
        if (LEFT_OUT.has(name)) return '';
        throw new NoEqual(`the tag “${name}”`);
    }
  }

  /** A whole link where text stands, and its URL within an attribute. */
  #link(name: string, url: string, rest: string): string {
    const isInAttribute = /=\s*["']?\s*$/.test(this.#written.at(-1)?.slice(-10) ?? '');
    if (/_(?:link|url)$/.test(name) || isInAttribute) return `{{ ${url} }}`;
    const reader = new ExpressionReader(rest);
    const text = reader.isAtEnd ? undefined : reader.operand();
    if (text && text.kind !== 'text') throw new NoEqual(`what “${name}” says`);
    return `<a href="{{ ${url} }}" data-track="off">${text?.text ?? WORDS[url]}</a>`;
  }

  #now(rest: string): string {
    const reader = new ExpressionReader(rest);
    const format = reader.operand();
    reader.expectEnd();
    if (format.kind !== 'text' || format.text.includes('"')) throw new NoEqual('the format of a date');
    return `{{ now | date: "${toDateFormat(format.text)}" }}`;
  }

  #if(rest: string, warn: Warn): string {
    const at = this.#placeForNames();
    const condition = writeCondition(new ExpressionReader(rest).condition(), this.#writing(warn, at));
    this.#begin('if', false, at);
    return `{% if ${condition} %}`;
  }

  #elif(rest: string, warn: Warn): string {
    const block = this.#blocks.findLast(({ tag }) => tag === 'if');
    if (!block) throw new NoEqual('“elif” without an “if”');
    return `{% elsif ${writeCondition(new ExpressionReader(rest).condition(), this.#writing(warn, block.at))} %}`;
  }

  #ifEqual(name: string, rest: string, warn: Warn): string {
    const reader = new ExpressionReader(rest);
    const [left, right] = [reader.value(), reader.value()];
    reader.expectEnd();
    const at = this.#placeForNames();
    const operator = name === 'ifequal' ? '==' : '!=';
    const condition = writeCondition([[{ isNegated: false, left, operator, right }]], this.#writing(warn, at));
    this.#begin(name, false, at);
    return `{% if ${condition} %}`;
  }

  #for(rest: string, warn: Warn): string {
    const reader = new ExpressionReader(rest);
    const name = reader.name();
    if (!reader.takes('in')) throw new NoEqual('a loop over names and values');
    const value = reader.value();
    const isReversed = reader.takes('reversed');
    reader.expectEnd();
    const last = value.filters.at(-1);
    const isSliced = last?.name === 'slice';
    const { offset, limit } = isSliced ? sliceOf(last.args[0]) : { offset: 0, limit: undefined };
    const filters = isSliced ? value.filters.slice(0, -1) : value.filters;
    const at = this.#placeForNames();
    const written = writeValue({ ...value, filters }, this.#writing(warn, at));
    const list = written.filters.length === 0 ? written.base : this.#writing(warn, at).name(join(written));
    const bounds = [
      ...(isReversed ? ['reversed'] : []),
      ...(limit === undefined ? [] : [`limit: ${limit}`]),
      ...(offset === 0 ? [] : [`offset: ${offset}`]),
    ];
    this.#locals.add(name);
    this.#begin('for', false, at);
    return `{% for ${[name, 'in', list, ...bounds].join(' ')} %}`;
  }

  #with(rest: string, warn: Warn): string {
    const reader = new ExpressionReader(rest);
    const named: [string, string][] = [];
    const writing = { locals: this.#locals, warn };
    while (!reader.isAtEnd) {
      const first = reader.value();
      const [only, ...more] = first.base.kind === 'path' ? first.base.names : [];
      if (reader.takes('as')) named.push([reader.name(), join(writeValue(first, writing))]);
      else if (reader.takes('=') && only !== undefined && more.length === 0) {
        named.push([only, join(writeValue(reader.value(), writing))]);
      } else throw new NoEqual('this form of “with”');
    }
    for (const [name] of named) this.#locals.add(name);
    this.#begin('with', false);
    return named.map(([name, value]) => `{% assign ${name} = ${value} %}`).join('');
  }

  #begin(tag: string, isLeft: boolean, at = this.#written.length): void {
    this.#blocks.push({ tag, isLeft, at });
  }

  #end(name: string): string {
    const tag = name.slice('end'.length);
    const k = this.#blocks.findLastIndex((block) => block.tag === tag);
    const block = this.#blocks[k];
    if (k >= 0) this.#blocks.length = k;
    if (block?.isLeft) return `{% ${name} %}`;
    if (tag === 'with') return '';
    return tag === 'for' ? '{% endfor %}' : '{% endif %}';
  }

  /** Where tags go that name what the next tag needs. */
  #placeForNames(): number {
    return this.#written.push('') - 1;
  }

  #writing(warn: Warn, at: number): ConditionWriting {
    const next = () => {
      this.#named += 1;
      return `value_${this.#named}`;
    };
    const before = (tags: string) => {
      this.#written[at] += tags;
    };
    return {
      locals: this.#locals,
      warn,
      name: (value) => {
        const name = next();
        before(`{% assign ${name} = ${value} %}`);
        return name;
      },
      nameCondition: (condition) => {
        const name = next();
        before(`{% assign ${name} = false %}{% if ${condition} %}{% assign ${name} = true %}{% endif %}`);
        return name;
      },
    };
  }
}
