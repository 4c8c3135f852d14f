import { exactNumber } from '../lossless-json.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { readRows } from './read-rows.ts';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export type ImportIdentifier = 'email' | 'phone' | 'external_id';
export type ValueType = 'text' | 'number' | 'boolean';

/** What becomes of a column: either an identifier or an attribute. */
export interface ImportColumn {
  column: string;
  identifier?: ImportIdentifier;
  attribute?: string;
  type?: ValueType;
}

/** A column that is imported, and its place in a row. */
export interface PlannedColumn extends ImportColumn {
  index: number;
}

/** The first line of a file. */
export interface Header {
  delimiter: Delimiter;
  /** The names of the columns, without spaces around them. */
  columns: string[];
  /** The bytes and the lines up to the first row. */
  end: number;
  lines: number;
}

/** Bytes of the beginning of a file in which its first line has to end. */
export const HEADER_BYTES = 64 * 1024;
const MAX_COLUMNS = 500;
const BYTE_ORDER_MARK = Buffer.from('\u{feff}');

/** Reads the first line from the beginning of a file. Throws `validation_error` if it can't be one. */
export function readHeader(text: Buffer, delimiter: Delimiter | null): Header {
  const start = text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const rest = text.subarray(start);
  const found = delimiter ?? mostFrequentDelimiter(rest);
  const isEnd = text.length < HEADER_BYTES;
  const { rows, end, lines } = readRows(rest, { delimiter: found, maxRows: 1, isEnd });
  const [row] = rows;
  if (!row) throw refused('The file is empty');
  if (row.problem !== undefined) {
    const problem = isEnd ? row.problem : `is longer than ${HEADER_BYTES / 1024} KB, or its quotes are broken`;
    throw refused(`The first line of the file ${problem}`);
  }
  const columns = row.cells.map((cell) => cell.trim());
  if (columns.length > MAX_COLUMNS) throw refused(`The file has more than ${MAX_COLUMNS} columns`);
  return { delimiter: found, columns, end: start + end, lines };
}

/** Counts outside of quotes, up to the end of the first line that has anything. */
function mostFrequentDelimiter(text: Buffer): Delimiter {
  const counts = new Map<string, number>(DELIMITERS.map((one) => [one, 0]));
  let isQuoted = false;
  let isEmpty = true;
  for (const character of text.toString('latin1')) {
    if (character === '"') isQuoted = !isQuoted;
    const isBreak = character === '\n' || character === '\r';
    if (isBreak && !isQuoted && !isEmpty) break;
    if (!isBreak) isEmpty = false;
    const count = counts.get(character);
    if (count !== undefined && !isQuoted) counts.set(character, count + 1);
  }
  const [[most] = [',']] = [...counts].sort(([, a], [, b]) => b - a);
  return most as Delimiter;
}

/** Throws `validation_error` unless the columns are an identifier or an attribute each, no two of them the same. */
export function checkMapping(mapping: readonly ImportColumn[]): void {
  const seen = new Set<string>();
  for (const [i, { column, identifier, attribute, type }] of mapping.entries()) {
    const refuse = (field: string, problem: string) => invalid({ path: ['mapping', i, field], problem });
    if ((identifier === undefined) === (attribute === undefined)) {
      throw invalid({ path: ['mapping', i], problem: 'needs either an identifier or an attribute' });
    }
    if (attribute === '__proto__') throw refuse('attribute', 'is not allowed as a name');
    if (identifier !== undefined && type !== undefined) throw refuse('type', 'is only for attributes');
    for (const [field, name] of [
      ['column', column.trim()],
      [identifier === undefined ? 'attribute' : 'identifier', identifier ?? attribute],
    ] as const) {
      const key = `${field} ${name}`;
      if (seen.has(key)) throw refuse(field, 'is in the mapping already');
      seen.add(key);
    }
  }
  if (mapping.every(({ identifier }) => identifier === undefined)) {
    throw invalid({ path: ['mapping'], problem: 'needs a column for email, phone or external_id' });
  }
}

/** Finds the columns of a mapping in a file. Throws `validation_error` for one that it has not, or has twice. */
export function planColumns({ columns }: Header, mapping: readonly ImportColumn[]): PlannedColumn[] {
  return mapping.map((one, i) => {
    const name = one.column.trim();
    const index = columns.indexOf(name);
    const refuse = (problem: string) => invalid({ path: ['mapping', i, 'column'], problem });
    if (index === -1 || name === '') throw refuse('is not a column of the file');
    if (columns.indexOf(name, index + 1) !== -1) throw refuse('is the name of several columns of the file');
    return { ...one, column: name, index };
  });
}

const IDENTIFIER_NAMES: [ImportIdentifier, RegExp][] = [
  ['email', /^(?:e ?mail|mail)(?: ?address)?$|^(?:customer|user|contact) e ?mail$/],
  ['phone', /^(?:(?:tele)?phone|mobile|cell)(?: ?(?:number|phone))?$/],
  ['external_id', /^(?:external|customer|user|client|contact) ?(?:id|number|no)$|^id$/],
];
/** Characters that the name of an attribute may have. */
const MAX_NAME = 1024;
const BOOLEANS = new Set(['true', 'false', 'yes', 'no']);

/** What the names of columns and their first values look like: an identifier, an attribute, or nothing to import. */
export function suggestMapping(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): (ImportColumn | null)[] {
  const taken = new Set<string>();
  return columns.map((column, index) => {
    if (column === '' || column.length > MAX_NAME || columns.filter((other) => other === column).length > 1)
      return null;
    const words = column
      .replace(/([a-z])(?=[A-Z])/g, '$1 ')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    const identifier = IDENTIFIER_NAMES.find(([kind, pattern]) => pattern.test(words) && !taken.has(kind))?.[0];
    const attribute = words.replaceAll(' ', '_');
    const target = identifier ?? attribute;
    if (target === '' || taken.has(target)) return null;
    taken.add(target);
    if (identifier !== undefined) return { column, identifier };
    const values = rows.map((cells) => cells[index]?.trim() ?? '').filter((value) => value !== '');
    return { column, attribute, type: typeOf(values) };
  });
}

function typeOf(values: readonly string[]): ValueType {
  if (values.length === 0) return 'text';
  // What begins with a zero or a plus is a code: its digits matter.
  if (values.every((value) => !/^[-+]?0\d|^\+/.test(value) && exactNumber(value) !== undefined)) return 'number';
  return values.every((value) => BOOLEANS.has(value.toLowerCase())) ? 'boolean' : 'text';
}

function refused(message: string): ServiceError {
  return new ServiceError('validation_error', message);
}
