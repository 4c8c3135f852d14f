/** A text that somebody wrote, of a draft or of what is copied into it. */
export interface Source {
  text: string;
  /** What it is a text of, as `the snippet "Footer"`; null for the draft itself. */
  of: string | null;
}

export interface Place {
  line: number;
  column: number;
}

/** A character of a source. */
export interface Spot {
  source: Source;
  offset: number;
}

/** Where something was written; `tag` is where in the draft stands what had it copied, null for a layout around all of it. */
export interface Origin extends Spot {
  tag: Spot | null;
}

/** A text that is put together from several, and knows where each part of it was written. */
export class ResolvedText {
  readonly #pieces: (Origin & { at: number })[] = [];
  readonly #texts: string[] = [];
  #length = 0;
  #whole: string | undefined;

  /** Appends a part of a source. */
  add(source: Source, from: number, to: number, tag: Spot | null): void {
    this.#pieces.push({ at: this.#length, source, offset: from, tag });
    this.#texts.push(source.text.slice(from, to));
    this.#length += to - from;
    this.#whole = undefined;
  }

  get length(): number {
    return this.#length;
  }

  toString(): string {
    this.#whole ??= this.#texts.join('');
    return this.#whole;
  }

  /** Returns what was written at a place of the whole; undefined if nothing was. */
  origin({ line, column }: Place): Origin | undefined {
    const at = offsetOf(this.toString(), line, column);
    const piece = this.#pieces.findLast((one) => one.at <= at);
    return piece && { source: piece.source, offset: piece.offset + at - piece.at, tag: piece.tag };
  }
}

/** Returns the line and column, from 1. */
export function placeOf({ source: { text }, offset }: Spot): Place {
  let [line, start] = [1, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let i = 1; i < line; i += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return start + column - 1;
}
