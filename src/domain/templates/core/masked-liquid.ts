/** From the private use area: in no alphabet, and of no meaning in HTML, CSS, MJML or URLs. */
const OPEN = '\ue000';
const CLOSE = '\ue001';
const PLACEHOLDER = new RegExp(`${OPEN}(\\d{1,6})${CLOSE}`, 'g');
const COMMENT = /^\{%-?\s*comment\s*-?%\}$/;
const END_OF_COMMENT = /\{%-?\s*endcomment\s*-?%\}/g;

/** A line from 1, and a column from 1, of the source. */
export interface Place {
  line: number;
  column: number;
}

/**
 * A text whose Liquid is replaced by placeholders, so that what parses HTML, CSS or MJML neither takes it for something
 * else nor changes it. A comment of Liquid is masked with all that it contains.
 */
export class MaskedLiquid {
  readonly text: string;
  readonly #source: string;
  readonly #pieces: readonly string[];

  constructor(source: string) {
    const pieces: string[] = [];
    this.text = maskEach(source, (piece) => `${OPEN}${pieces.push(piece) - 1}${CLOSE}`);
    this.#source = source;
    this.#pieces = pieces;
  }

  /** Puts the Liquid back in what was made of the text. */
  restore(text: string): string {
    return text.replaceAll(PLACEHOLDER, (placeholder, n: string) => this.#pieces[Number(n)] ?? placeholder);
  }

  /** The place in the source of an offset in the text. */
  placeOf(offset: number): Place {
    const before = this.restore(this.text.slice(0, offset));
    return placeOf(this.#source, before.length);
  }
}

export function placeOf(source: string, offset: number): Place {
  const lines = source.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) as string).length + 1 };
}

/** Whether a masked text begins with Liquid. */
export function beginsWithLiquid(masked: string): boolean {
  return masked.startsWith(OPEN);
}

export function hasLiquid(masked: string): boolean {
  return masked.includes(OPEN);
}

function maskEach(source: string, mask: (piece: string) => string): string {
  let masked = '';
  let done = 0;
  for (const { start, end } of liquidIn(source)) {
    masked += source.slice(done, start) + mask(source.slice(start, end));
    done = end;
  }
  return masked + source.slice(done);
}

/** Finds outputs and tags. What is never closed is none. */
function* liquidIn(source: string): Generator<{ start: number; end: number }> {
  const [lastOutputEnd, lastTagEnd] = [source.lastIndexOf('}}'), source.lastIndexOf('%}')];
  // What follows the last end is not searched again and again.
  const lastCommentEnd = [...source.matchAll(END_OF_COMMENT)].at(-1)?.index ?? -1;
  for (let start = source.indexOf('{'); start >= 0; start = source.indexOf('{', start)) {
    const next = source[start + 1];
    const isOutput = next === '{' && start + 2 <= lastOutputEnd;
    const isTag = next === '%' && start + 2 <= lastTagEnd;
    if (!isOutput && !isTag) {
      start += 1;
      continue;
    }
    const end = isOutput ? endOfOutput(source, start + 2) : endOfTag(source, start, lastCommentEnd);
    yield { start, end };
    start = end;
  }
}

/** As liquidjs does: a text in quotes may contain what ends an output. */
function endOfOutput(source: string, from: number): number {
  let quote: string | undefined;
  for (let i = from; i < source.length; i++) {
    const char = source[i];
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '}' && source[i + 1] === '}') return i + 2;
  }
  return source.indexOf('}}', from) + 2;
}

function endOfTag(source: string, start: number, lastCommentEnd: number): number {
  const end = source.indexOf('%}', start) + 2;
  if (end > lastCommentEnd || !COMMENT.test(source.slice(start, end))) return end;
  END_OF_COMMENT.lastIndex = end;
  END_OF_COMMENT.test(source);
  return END_OF_COMMENT.lastIndex;
}
