import {
  type BrokenRow,
  countBreaks,
  endOfLine,
  endOfValueBefore,
  evenEnd,
  type Fault,
  hasLoneQuote,
  isBreak,
  type ScannedRow,
  scanRow,
  skipBreaks,
} from './scan-row.ts';

/** Bytes of one row. */
const MAX_ROW_BYTES = 256 * 1024;
/** Rows with broken quotes of which one call looks for the end, each in all that follows. */
const MAX_BROKEN = 10;

/** A row of a CSV file: its values, or what is wrong with how it is written. */
export interface CsvRow {
  /** The lines before it in the text that it was read from. */
  line: number;
  /** The bytes up to its end in that text. */
  end: number;
  cells: readonly string[];
  /** As in `Violation`; then there are no values. */
  problem?: string;
  /** The bytes of that text up to which the lines after it may be part of a value. */
  doubtfulTo: number;
}

export interface CsvPortion {
  rows: CsvRow[];
  /** The bytes that were read, and the lines in them. */
  end: number;
  lines: number;
  /** As that of a row. */
  doubtfulTo: number;
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
  /** The bytes up to which lines may be part of a value that began before; by default none. */
  doubtfulTo?: number;
}

/**
 * Reads rows of CSV from UTF-8 text, some megabytes at most, without those that are empty. No part of a value is read as a
 * row: where quotes are broken, each line that may belong to the value is a row with a problem, up to the first that can't
 * be, because it has quotes as only a whole row has them. Reads at least one row, unless the text has none.
 */
export function readRows(text: Buffer, options: ReadOptions): CsvPortion {
  return new Reader(text, options).read();
}

class Reader {
  readonly #text: Buffer;
  readonly #options: ReadOptions;
  readonly #delimiter: number;
  readonly #portion: CsvPortion;
  #broken = 0;

  constructor(text: Buffer, options: ReadOptions) {
    // A line feed may follow, which belongs to the same line break.
    this.#text = !options.isEnd && text.at(-1) === CR ? text.subarray(0, -1) : text;
    this.#options = options;
    this.#delimiter = options.delimiter.charCodeAt(0);
    this.#portion = { rows: [], end: 0, lines: 0, doubtfulTo: options.doubtfulTo ?? 0 };
  }

  read(): CsvPortion {
    const { maxRows, isWithinLine: isBegun = false } = this.#options;
    if (isBegun) this.#passOver(this.#lineEnd);
    let goesOn = true;
    while (goesOn && this.#portion.rows.length < maxRows && this.#broken < MAX_BROKEN) goesOn = this.#readNext();
    return this.#portion;
  }

  /** Reads a row, or passes over an empty one. Returns whether the text may have more. */
  #readNext(): boolean {
    const at = skipBreaks(this.#text, this.#portion.end);
    this.#advance(at);
    if (at === this.#text.length) return false;
    if (at < this.#portion.doubtfulTo) {
      const isWhole = this.#isWholeRow(at);
      if (isWhole === undefined && this.#mayWait) return false;
      if (!isWhole) return this.#add(this.#lineEnd, [], DOUBTFUL);
      this.#portion.doubtfulTo = 0;
    }
    const row = scanRow(this.#text, at, this.#delimiter);
    return 'fault' in row ? this.#addBroken(row) : this.#addScanned(row);
  }

  #addScanned({ cells, end }: ScannedRow): boolean {
    const at = this.#portion.end;
    if (this.#isCut(end)) return this.#mayWait ? false : this.#addTooLong();
    if (cells.every(isBlank)) return this.#advance(end);
    const isTooLong = end - at > MAX_ROW_BYTES;
    const goesOnTo = this.#goesOnTo(cells, end);
    if (!isTooLong && goesOnTo === end && !this.#hasSwallowed(cells, end)) return this.#add(end, cells);
    this.#broken += 1;
    this.#portion.doubtfulTo = goesOnTo;
    return this.#add(this.#lineEnd, [], isTooLong ? TOO_LONG : SWALLOWED);
  }

  #addBroken({ fault, quote }: BrokenRow): boolean {
    const { isEnd } = this.#options;
    const end = fault === 'closed_early' ? evenEnd(this.#text, quote) : undefined;
    const known = end !== undefined && !this.#isCut(end) ? end : undefined;
    if (known === undefined && !isEnd && this.#mayWait) return false;
    this.#broken += 1;
    if (known === undefined && !isEnd) return this.#addTooLong();
    // Of the lines up to there, each may be a row of its own, whose quote only seems to close the value.
    this.#portion.doubtfulTo =
      known === undefined ? Number.POSITIVE_INFINITY : endOfValueBefore(this.#text, known, this.#delimiter);
    return this.#add(this.#lineEnd, [], PROBLEMS[fault]);
  }

  /** Of a row whose end the text does not have. */
  #addTooLong(): true {
    const end = this.#lineEnd;
    this.#doubt(end);
    return this.#add(end, [], TOO_LONG);
  }

  /** Passes over the rest of a line. */
  #passOver(end: number): void {
    this.#doubt(end);
    this.#advance(end);
  }

  /** Whoever does not read a row with quotes to its end does not know what is within them. */
  #doubt(end: number): void {
    if (this.#text.subarray(this.#portion.end, end).includes('"')) this.#portion.doubtfulTo = Number.POSITIVE_INFINITY;
  }

  /** Where a row ends that has too few values, if a quote that should begin one of them seems to have ended the one before. */
  #goesOnTo(cells: readonly string[], end: number): number {
    const { delimiter, width = 0 } = this.#options;
    const isSuspect = cells.length < width && cells.some((cell) => cell.includes(delimiter));
    return isSuspect ? endOfValueBefore(this.#text, end, this.#delimiter) : end;
  }

  /** Whether rows seem to be within a value, because a quote was not closed. */
  #hasSwallowed(cells: readonly string[], end: number): boolean {
    const { width } = this.#options;
    if (width === undefined || width === 1 || fits(cells, width)) return false;
    // The first line and the last have the quotes of the value.
    return this.#linesWithin(end)
      .slice(0, -1)
      .some((line) => {
        const row = scanRow(this.#text, line, this.#delimiter);
        return !('fault' in row) && row.end === endOfLine(this.#text, line) && row.cells.length === width;
      });
  }

  /** Whether a line begins a row, and can't be part of a value. Undefined if the text does not say. */
  #isWholeRow(line: number): boolean | undefined {
    if (!hasLoneQuote(this.#text, line, this.#delimiter)) {
      return this.#isCut(endOfLine(this.#text, line)) ? undefined : false;
    }
    const row = scanRow(this.#text, line, this.#delimiter);
    if ('fault' in row) return this.#options.isEnd ? false : undefined;
    if (this.#isCut(row.end)) return undefined;
    const { width = row.cells.length } = this.#options;
    return row.isStrict && row.cells.length === width;
  }

  /** Returns where the lines after the first begin, of those up to a place. */
  #linesWithin(end: number): number[] {
    const lines: number[] = [];
    for (let at = this.#lineEnd; at < end; at = endOfLine(this.#text, at)) lines.push(at);
    return lines;
  }

  /** Where the line ends that is read next. */
  get #lineEnd(): number {
    return endOfLine(this.#text, this.#portion.end);
  }

  /** Whether what the text does not say may be left for the next time. */
  get #mayWait(): boolean {
    return this.#portion.rows.length > 0;
  }

  /** Whether what ends there may go on after the text. */
  #isCut(end: number): boolean {
    return !this.#options.isEnd && end === this.#text.length && !isBreak(this.#text[end - 1]);
  }

  #add(end: number, cells: readonly string[], problem?: string): true {
    const { rows, lines: line, doubtfulTo } = this.#portion;
    rows.push({ line, end, cells, doubtfulTo, ...(problem !== undefined && { problem }) });
    return this.#advance(end);
  }

  #advance(end: number): true {
    this.#portion.lines += countBreaks(this.#text, this.#portion.end, end);
    this.#portion.end = end;
    return true;
  }
}

const CR = 0x0d;

export function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

/** Whether the values are as many as they should be, but for empty ones at the end. */
function fits(cells: readonly string[], width: number): boolean {
  return cells.length >= width && cells.slice(width).every(isBlank);
}

const TOO_LONG = `is longer than ${MAX_ROW_BYTES / 1024} KB, or has a quote that is never closed`;
const SWALLOWED = 'has another number of values than the first line, perhaps because of a quote that is not closed';
const DOUBTFUL = 'may be part of a value in a row before it, of which the quotes are broken';

const PROBLEMS: Record<Fault, string> = {
  not_closed: 'has a quote that is never closed',
  closed_early: 'has something between a closing quote and the end of its value; a quote within a value is doubled',
};
