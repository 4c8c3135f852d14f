import type { Piece } from '../liquid/piece.ts';
import type { LiquidText } from '../liquid/read-liquid.ts';

/** One for each piece of Liquid: BOUNDS.tags allows fewer than there are. */
const FIRST = 0xe000;
const MASK = /[\uE000-\uF8FF]/;
const PARTS = /([\uE000-\uF8FF])/;

export const hasLiquid = (masked: string): boolean => MASK.test(masked);

/** HTML in which one character stands for each piece of Liquid, so that nothing takes it for HTML. */
export class MaskedHtml {
  readonly html: string;
  readonly #source: string;
  readonly #pieces: readonly Piece[];
  /** Where each piece stands in the HTML. */
  readonly #places: number[] = [];

  constructor({ source, pieces }: LiquidText) {
    this.#source = source;
    this.#pieces = pieces;
    let [html, at] = ['', 0];
    for (const [i, { begin, end }] of pieces.entries()) {
      html += source.slice(at, begin);
      this.#places.push(html.length);
      html += String.fromCharCode(FIRST + i);
      at = end;
    }
    this.html = html + source.slice(at);
  }

  pieceOf(character: string): Piece | undefined {
    return this.#pieces[character.charCodeAt(0) - FIRST];
  }

  /** Splits a part of it into texts and pieces. */
  parts(masked: string): (string | Piece)[] {
    if (!hasLiquid(masked)) return [masked];
    return masked.split(PARTS).flatMap((part) => (part === '' ? [] : (hasLiquid(part) && this.pieceOf(part)) || part));
  }

  piecesIn(masked: string): Piece[] {
    return this.parts(masked).filter((part) => typeof part !== 'string');
  }

  /** Puts the Liquid back in a part of it, or in what was made of one. */
  restore(masked: string): string {
    return this.parts(masked)
      .map((part) => (typeof part === 'string' ? part : this.#source.slice(part.begin, part.end)))
      .join('');
  }

  placeOf(piece: Piece): number {
    return this.#places[this.#pieces.indexOf(piece)] as number;
  }

  /** Returns the character of the source that a character of the HTML is. */
  sourceOf(index: number): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle] as number) < index) low = middle + 1;
      else high = middle;
    }
    const before = this.#pieces[low - 1];
    return before ? before.end + index - (this.#places[low - 1] as number) - 1 : index;
  }
}
