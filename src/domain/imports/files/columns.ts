import { CHANNELS } from '../../consent/consent.ts';
import { exactNumber } from '../../lossless-json.ts';
import { invalid, ServiceError } from '../../service-error.ts';
import { type ConsentPart, type ImportIdentifier, readColumnName } from './column-names.ts';
import { type DateType, evidentOrder, isDateType } from './dates.ts';
import { readRows } from './read-rows.ts';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export type ValueType = 'text' | 'number' | 'boolean' | DateType;

/** What becomes of a column: an identifier, an attribute, or a part of the consent. */
export interface ImportColumn {
  column: string;
  identifier?: ImportIdentifier;
  attribute?: string;
  consent?: ConsentPart;
  /** Of an attribute, or the order of a time of consent. */
  type?: ValueType;
}

/** A column that is imported, and its place in a row. */
export interface PlannedColumn extends ImportColumn {
  index: number;
}

/** The line of a file that names the columns: the first, but for what spreadsheets write before it. */
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

/** A line by which spreadsheets tell each other the delimiter. */
const NAMED_DELIMITER = /^"?sep=([,;\t|])"?[,;\t|]*(?:\r\n|\n|\r)/i;
const LONGEST_NAMED = 1024;

/** Reads the names of the columns from the beginning of a file. Throws `validation_error` if it can't be one. */
export function readHeader(text: Buffer, delimiter: Delimiter | null): Header {
  const mark = text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const [naming = '', named] = NAMED_DELIMITER.exec(text.toString('latin1', mark, mark + LONGEST_NAMED)) ?? [];
  const start = mark + naming.length;
  const rest = text.subarray(start);
  const found = delimiter ?? (named as Delimiter | undefined) ?? mostFrequentDelimiter(rest);
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
  return { delimiter: found, columns, end: start + end, lines: (naming === '' ? 0 : 1) + lines };
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

const TARGETS = ['identifier', 'attribute', 'consent'] as const;

/** Throws `validation_error` unless each column becomes one thing, no two of them the same. */
export function checkMapping(mapping: readonly ImportColumn[]): void {
  const seen = new Set<string>();
  for (const [i, one] of mapping.entries()) {
    const { column, identifier, attribute, consent, type } = one;
    const refuse = (field: string, problem: string) => invalid({ path: ['mapping', i, field], problem });
    const [target, another] = TARGETS.filter((name) => one[name] !== undefined);
    if (target === undefined || another !== undefined) {
      throw invalid({ path: ['mapping', i], problem: 'needs one of identifier, attribute and consent' });
    }
    if (attribute === '__proto__') throw refuse('attribute', 'is not allowed as a name');
    const isTime = consent?.endsWith('_changed_at');
    if (type !== undefined && attribute === undefined && !isTime)
      throw refuse('type', 'is only for attributes and times');
    if (isTime && type !== undefined && !isDateType(type)) throw refuse('type', 'must be a date');
    for (const [field, name] of [
      ['column', column.trim()],
      [target, identifier ?? attribute ?? consent],
    ] as const) {
      const key = `${field} ${name}`;
      if (seen.has(key)) throw refuse(field, 'is in the mapping already');
      seen.add(key);
    }
  }
  if (mapping.every(({ identifier }) => identifier === undefined)) {
    throw invalid({ path: ['mapping'], problem: 'needs a column for email, phone, external_id or source_id' });
  }
  for (const channel of CHANNELS) {
    const ofChannel = mapping.filter(({ consent }) => consent?.startsWith(`${channel}_`));
    const hasKind = ofChannel.some(({ consent }) => /_(?:status|suppressed)$/.test(consent as string));
    if (ofChannel.length > 0 && !hasKind) {
      throw invalid({ path: ['mapping'], problem: `needs a column for ${channel}_status or ${channel}_suppressed` });
    }
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
    const name = readColumnName(column);
    const identifier = [name.identifier].find((one) => one !== undefined && !taken.has(one));
    const attribute = name.attributes.find((one) => !taken.has(one));
    const target = identifier ?? attribute;
    if (target === undefined) return null;
    taken.add(target);
    if (identifier !== undefined) return { column, identifier };
    const values = rows.map((cells) => cells[index]?.trim() ?? '').filter((value) => value !== '');
    return { column, attribute: target, type: typeOf(values) };
  });
}

/** Whether every digit of a number matters: it begins with a zero or a plus, or is too long to be anything but an id. */
function isCode(value: string): boolean {
  return /^[-+]?0\d|^\+/.test(value) || (/^-?\d+$/.test(value) && !Number.isSafeInteger(Number(value)));
}

function typeOf(values: readonly string[]): ValueType {
  if (values.length === 0) return 'text';
  if (values.every((value) => !isCode(value) && exactNumber(value) !== undefined)) return 'number';
  if (values.every((value) => BOOLEANS.has(value.toLowerCase()))) return 'boolean';
  // A text that is the date already stays as it is.
  const order = evidentOrder(values);
  return order && values.some((value) => !/^\d{4}-\d\d-\d\d(?:$|T.*[Z\d]$)/.test(value)) ? order : 'text';
}

function refused(message: string): ServiceError {
  return new ServiceError('validation_error', message);
}
