import { type CsvError, parse } from 'csv-parse/sync';

/** Bytes of one row, more or less: csv-parse counts characters of values that are complete. */
const MAX_ROW_BYTES = 256 * 1024;
/** Rows with broken quotes that one call passes over, each of which has the rest parsed anew. */
const MAX_BROKEN = 10;
/** Records that are parsed at a time, as many of them may be empty. */
const MIN_PARSED = 100;

/** A row of a CSV file: its values, or what is wrong with how it is written. */
export interface CsvRow {
  /** The lines before it in the text that it was read from. */
  line: number;
  /** The bytes up to its end in that text. */
  end: number;
  cells: readonly string[];
  /** As in `Violation`; then there are no values. */
  problem?: string;
}

export interface CsvPortion {
  rows: CsvRow[];
  /** The bytes that were read, and the lines in them. */
  end: number;
  lines: number;
}

export interface ReadOptions {
  delimiter: string;
  maxRows: number;
  /** Whether the file ends with the text; otherwise a row that might go on is left for the next time. */
  isEnd: boolean;
  /** The values that a row should have; any number by default. */
  width?: number;
  /** Whether the text begins within a line, of which the rest is passed over; by default it does not. */
  isWithinLine?: boolean;
}

/**
 * Reads rows of CSV from UTF-8 text, some megabytes at most, without those that are empty. Where quotes are broken, only one
 * line is lost: reading goes on with the line after it. Reads at least one row, unless the text has none.
 */
export function readRows(
  bytes: Buffer,
  { delimiter, maxRows, isEnd, width, isWithinLine = false }: ReadOptions,
): CsvPortion {
  // A line feed may follow, which belongs to the same line break.
  const text = !isEnd && bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
  const portion: CsvPortion = { rows: [], end: 0, lines: 0 };
  const advance = (end: number) => {
    portion.lines += countBreaks(text, portion.end, end);
    portion.end = end;
  };
  const add = (end: number, cells: readonly string[], problem?: string) => {
    portion.rows.push({ line: portion.lines, end, cells, ...(problem !== undefined && { problem }) });
    advance(end);
  };

  if (isWithinLine) advance(endOfLine(text, 0));
  let broken = 0;
  while (portion.rows.length < maxRows && broken < MAX_BROKEN) {
    const { records, problem } = parseFrom(text, portion.end, delimiter, Math.max(maxRows, MIN_PARSED));
    let swallowed = false;
    for (const { cells, end } of records) {
      if (portion.rows.length === maxRows) return portion;
      advance(skipBreaks(text, portion.end));
      const isCut = end === text.length && !isEnd;
      if (isCut && portion.rows.length > 0) return portion;
      const isMultiline = endOfLine(text, portion.end) < end;
      swallowed = width !== undefined && cells.length !== width && isMultiline;
      if (isCut) add(endOfLine(text, portion.end), [], TOO_LONG);
      else if (swallowed) break;
      else if (cells.every((cell) => cell.trim() === '')) advance(end);
      else add(end, cells);
    }
    if (portion.rows.length === maxRows) return portion;
    if (!swallowed && problem === undefined) {
      advance(skipBreaks(text, portion.end));
      if (records.length === 0) return portion;
      // Perhaps too many of them were empty.
      continue;
    }
    advance(skipBreaks(text, portion.end));
    if (!swallowed && problem === NOT_CLOSED && !isEnd && portion.rows.length > 0) return portion;
    add(endOfLine(text, portion.end), [], swallowed ? SWALLOWED : problem);
    broken += 1;
  }
  return portion;
}

const TOO_LONG = `is longer than ${MAX_ROW_BYTES / 1024} KB, or has a quote that is never closed`;
const NOT_CLOSED = 'has a quote that is never closed';
const SWALLOWED = 'has another number of values than the first line, perhaps because of a quote that is not closed';

const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: NOT_CLOSED,
  CSV_MAX_RECORD_SIZE: TOO_LONG,
  CSV_INVALID_CLOSING_QUOTE: 'has something between a closing quote and the end of its value',
  INVALID_OPENING_QUOTE:
    'has a quote in a value that does not begin with one; double it, and enclose the value in quotes',
};

interface Parsed {
  records: { cells: string[]; end: number }[];
  /** Why it ended before all was read. */
  problem: string | undefined;
}

function parseFrom(text: Buffer, from: number, delimiter: string, maxRows: number): Parsed {
  const records: Parsed['records'] = [];
  try {
    parse(text.subarray(from), {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW_BYTES,
      to: maxRows,
      // Kept here, because what was read before an error would be lost.
      on_record: (cells: string[], { bytes }) => {
        records.push({ cells, end: from + bytes });
        return null;
      },
    });
    return { records, problem: undefined };
  } catch (error) {
    const problem = PROBLEMS[(error as CsvError).code];
    if (problem === undefined) throw error;
    return { records, problem };
  }
}

const [CR, LF] = [0x0d, 0x0a];

function skipBreaks(text: Buffer, from: number): number {
  let at = from;
  while (text[at] === CR || text[at] === LF) at += 1;
  return at;
}

/** Whether a place in a text is within a line: neither at its beginning nor at its end. */
export function isWithinLine(text: Buffer, at: number): boolean {
  const isBreak = (byte: number | undefined) => byte === undefined || byte === CR || byte === LF;
  return !isBreak(text[at - 1]) && !isBreak(text[at]);
}

/** Returns where the next line begins. */
function endOfLine(text: Buffer, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === LF) return at + 1;
    if (text[at] === CR) return text[at + 1] === LF ? at + 2 : at + 1;
  }
  return text.length;
}

/** Counts the line breaks between two places. */
export function countBreaks(text: Buffer, from: number, to: number): number {
  let breaks = 0;
  for (let at = from; at < to; at += 1) {
    if (text[at] === LF || (text[at] === CR && text[at + 1] !== LF)) breaks += 1;
  }
  return breaks;
}
