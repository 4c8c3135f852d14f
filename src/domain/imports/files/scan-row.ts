const [CR, LF, SPACE, QUOTE] = [0x0d, 0x0a, 0x20, 0x22];

/** Why a row can't be told from what follows it. */
export type Fault = 'not_closed' | 'closed_early';

/** A row of CSV as it is written at a place of a text. */
export interface ScannedRow {
  cells: readonly string[];
  /** After its line break. */
  end: number;
  /** Whether quotes are only around values, with those within them doubled. */
  isStrict: boolean;
}

/** A row of which the quotes are broken, and where the quote is that begins the value at fault. */
export interface BrokenRow {
  fault: Fault;
  quote: number;
}

/**
 * Reads the row at a place of a text. A quote within a value that does not begin with one is text, as in `5" pipe`; spaces
 * around quotes are left out.
 */
export function scanRow(text: Buffer, from: number, delimiter: number): ScannedRow | BrokenRow {
  const cells: string[] = [];
  let isStrict = true;
  for (let at = from; ; at += 1) {
    const quote = skipSpaces(text, at);
    if (text[quote] === QUOTE) {
      const closing = closingQuote(text, quote + 1);
      if (closing === undefined) return { fault: 'not_closed', quote };
      cells.push(text.toString('utf8', quote + 1, closing).replaceAll('""', '"'));
      at = skipSpaces(text, closing + 1);
      if (!endsValue(text, at, delimiter)) return { fault: 'closed_early', quote };
    } else {
      const start = at;
      while (!endsValue(text, at, delimiter)) {
        if (text[at] === QUOTE) isStrict = false;
        at += 1;
      }
      cells.push(text.toString('utf8', start, at));
    }
    if (text[at] !== delimiter) return { cells, end: endOfLine(text, at), isStrict };
  }
}

/** Returns where the first line ends that leaves the quotes from a place on even; undefined if none does. */
export function evenEnd(text: Buffer, from: number): number | undefined {
  let isEven = true;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === QUOTE) isEven = !isEven;
    else if (isEven && isBreak(text[at])) return endOfLine(text, at);
  }
  return isEven ? text.length : undefined;
}

/**
 * Returns where the row ends of the next quote, if that seems to end a value which began before; the place itself if it
 * begins one or there is none; Infinity if it may do either, or the row is broken, too. Doubled quotes say nothing.
 */
export function endOfValueBefore(text: Buffer, from: number, delimiter: number): number {
  for (let at = text.indexOf(QUOTE, from); at !== -1; at = text.indexOf(QUOTE, at)) {
    if (text[at + 1] === QUOTE) {
      at += 2;
      continue;
    }
    const after = skipSpaces(text, at + 1);
    if (!endsValue(text, after, delimiter)) return from;
    if (endsValue(text, at - 1, delimiter)) return Number.POSITIVE_INFINITY;
    if (text[after] !== delimiter) return endOfLine(text, after);
    // Another value of that row may go on over more lines.
    const rest = scanRow(text, after + 1, delimiter);
    return 'fault' in rest ? Number.POSITIVE_INFINITY : rest.end;
  }
  return from;
}

/** Whether a line, read as one within quotes, has a quote that neither ends the value nor is doubled. */
export function hasLoneQuote(text: Buffer, from: number, delimiter: number): boolean {
  for (let at = from; at < text.length && !isBreak(text[at]); at += 1) {
    if (text[at] !== QUOTE) continue;
    if (text[at + 1] !== QUOTE) return !endsValue(text, skipSpaces(text, at + 1), delimiter);
    at += 1;
  }
  return false;
}

/** Returns where the next line begins. */
export function endOfLine(text: Buffer, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === LF) return at + 1;
    if (text[at] === CR) return text[at + 1] === LF ? at + 2 : at + 1;
  }
  return text.length;
}

export function skipBreaks(text: Buffer, from: number): number {
  let at = from;
  while (text[at] === CR || text[at] === LF) at += 1;
  return at;
}

/** Counts the line breaks between two places. */
export function countBreaks(text: Buffer, from: number, to: number): number {
  let breaks = 0;
  for (let at = from; at < to; at += 1) {
    if (text[at] === LF || (text[at] === CR && text[at + 1] !== LF)) breaks += 1;
  }
  return breaks;
}

/** Whether a place in a text is within a line: neither at its beginning nor at its end. */
export function isWithinLine(text: Buffer, at: number): boolean {
  return !isBreak(text[at - 1]) && !isBreak(text[at]);
}

/** The end of the text is one. */
export function isBreak(byte: number | undefined): boolean {
  return byte === undefined || byte === CR || byte === LF;
}

function endsValue(text: Buffer, at: number, delimiter: number): boolean {
  return text[at] === delimiter || isBreak(text[at]);
}

function skipSpaces(text: Buffer, from: number): number {
  let at = from;
  while (text[at] === SPACE) at += 1;
  return at;
}

function closingQuote(text: Buffer, from: number): number | undefined {
  for (let at = text.indexOf(QUOTE, from); at !== -1; at = text.indexOf(QUOTE, at + 2)) {
    if (text[at + 1] !== QUOTE) return at;
  }
  return undefined;
}
