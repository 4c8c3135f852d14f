import { toDateFormat } from './date-format.ts';
import { NoEqual, type Operand, type Value } from './expression.ts';
import { toPath, writeOperand, writeText } from './names.ts';

/** Those that are called otherwise, and take the same arguments. */
const RENAMED: Readonly<Record<string, string>> = {
  default: 'default',
  default_if_none: 'default',
  upper: 'upcase',
  upcase: 'upcase',
  lower: 'downcase',
  downcase: 'downcase',
  capfirst: 'capitalize',
  capitalize: 'capitalize',
  title: 'capitalize',
  trim: 'strip',
  strip: 'strip',
  truncatechars: 'truncate',
  truncate: 'truncate',
  truncatewords: 'truncatewords',
  striptags: 'strip_html',
  urlencode: 'url_encode',
  safe: 'raw',
  add: 'plus',
  floatadd: 'plus',
  plus: 'plus',
  subtract: 'minus',
  floatsub: 'minus',
  minus: 'minus',
  multiply: 'times',
  times: 'times',
  divide: 'divided_by',
  divided_by: 'divided_by',
  modulo: 'modulo',
  round: 'round',
  ceil: 'ceil',
  floor: 'floor',
  abs: 'abs',
  at_least: 'at_least',
  at_most: 'at_most',
  length: 'size',
  count: 'size',
  size: 'size',
  first: 'first',
  last: 'last',
  join: 'join',
  split: 'split',
  cut: 'remove',
  remove: 'remove',
  append: 'append',
  // Of two texts, there.
  concat: 'append',
  prepend: 'prepend',
  sort: 'sort',
};
/** What all values are, or what has no effect on those of ours. */
const LEFT_OUT = new Set(['format_date_string', 'string_to_date', 'escape', 'force_escape']);
const CHANGED: Readonly<Record<string, string>> = {
  title: '“title” is “capitalize” now, which makes the first letter of a text large, not of each word',
};

export interface WrittenValue {
  /** A path, a text or a number. */
  base: string;
  /** Each with its arguments, as `default: "x"`. */
  filters: string[];
}

export interface Writing {
  /** What loops and `with` have named. */
  locals: ReadonlySet<string>;
  /** Told what means something slightly different now. */
  warn(message: string): void;
}

/** Throws `NoEqual`. */
export function writeValue({ base, filters }: Value, { locals, warn }: Writing): WrittenValue {
  const names = base.kind === 'path' ? [...base.names] : [];
  const lookups = filters.findIndex(({ name }) => name !== 'lookup');
  const others = lookups < 0 ? [] : filters.slice(lookups);
  let dynamic = '';
  for (const { args } of filters.slice(0, filters.length - others.length)) {
    const [key] = args;
    if (!key || args.length > 1 || base.kind !== 'path' || dynamic !== '')
      throw new NoEqual('the filter “lookup” here');
    if (key.kind === 'path') dynamic = `[${toPath(key.names, locals)}]`;
    else names.push(key.text);
  }
  const written = base.kind === 'path' ? toPath(names, locals) + dynamic : writeOperand(base, locals);
  return { base: written, filters: others.flatMap(({ name, args }) => writeFilter(name, args, { locals, warn })) };
}

function writeFilter(name: string, args: readonly Operand[], { locals, warn }: Writing): string[] {
  const written = args.map((arg) => writeOperand(arg, locals));
  const [arg] = args;
  if (LEFT_OUT.has(name)) return [];
  if (name === 'floatformat') return [`number: ${decimals(arg)}`];
  if (name === 'date' || name === 'time') {
    if (arg && arg.kind !== 'text') throw new NoEqual(`the format of “${name}”`);
    return [arg ? `date: ${writeText(toDateFormat(arg.text))}` : 'date'];
  }
  if (name === 'slice') {
    const { offset, limit } = sliceOf(arg);
    return [limit === undefined ? `slice: ${offset}, 1000` : `slice: ${offset}, ${limit}`];
  }
  if (name === 'replace' && args.length === 2) return [`replace: ${written.join(', ')}`];
  const renamed = Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined;
  if (renamed === undefined) throw new NoEqual(`the filter “${name}”`);
  if (CHANGED[name]) warn(CHANGED[name]);
  return [written.length === 0 ? renamed : `${renamed}: ${written.join(', ')}`];
}

function decimals(arg: Operand | undefined): number {
  if (!arg) return 1;
  const [, digits] = (arg.kind === 'path' ? null : /^-?(\d{1,2})[gu]{0,2}$/.exec(arg.text)) ?? [];
  if (digits === undefined) throw new NoEqual('the argument of “floatformat”');
  return Number(digits);
}

/** `:3` → the first three; `2:5` → three after two. */
export function sliceOf(arg: Operand | undefined): { offset: number; limit: number | undefined } {
  const [, from, to] = (arg?.kind === 'text' ? /^(\d{0,4}):(\d{0,4})$/.exec(arg.text) : null) ?? [];
  if (from === undefined || to === undefined) throw new NoEqual('the argument of “slice”');
  const offset = Number(from);
  return { offset, limit: to === '' ? undefined : Math.max(0, Number(to) - offset) };
}

export function join({ base, filters }: WrittenValue): string {
  return [base, ...filters].join(' | ');
}
