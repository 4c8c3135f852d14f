/** What a file of customers is as a text: the same in the browser and for the command that imports it. */

/** Characters of a part, well below what the service takes. */
const PART_CHARACTERS = 200_000;
/** Of so many bytes of UTF-16, one is a zero at the least. */
const MIN_ZEROS = 6;

/** Bytes that are read at a time. */
export const READ_BYTES = 256 * 1024;
/** Bytes at the start of a file by which UTF-16 is told. */
export const SNIFFED_BYTES = 4 * 1024;
/** What a file is most likely in that is neither UTF-16 nor UTF-8: that of a Western European Windows. */
export const OTHERWISE = 'windows-1252';

/** Tells UTF-16 from the start of a file, by its mark, or by the zeros that every second byte of Latin letters is. */
export function utf16Of(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const zeros = (parity: number) => start.filter((byte, i) => byte === 0 && i % 2 === parity).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (Math.max(even, odd) * MIN_ZEROS <= start.length) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Looks for a NUL in a text that comes piece by piece, and counts its lines, with either kind of line breaks. */
export class NulSearch {
  #feeds = 0;
  #returns = 0;

  /** Returns the line of the first NUL, if the next piece has one. */
  lineIn(text: string): number | undefined {
    const end = text.indexOf('\0');
    const before = end === -1 ? text : text.slice(0, end);
    this.#feeds += before.split('\n').length - 1;
    this.#returns += before.split('\r').length - 1;
    return end === -1 ? undefined : 1 + (this.#feeds || this.#returns);
  }
}

/** Cuts a text that comes piece by piece into parts, always in the same way. */
export class Cutter {
  #waiting = '';

  /** Returns the parts that are whole with the next piece. */
  *add(text: string): Generator<string> {
    this.#waiting += text;
    while (this.#waiting.length > PART_CHARACTERS) {
      // Not between the halves of a character.
      const isHalf = /[\ud800-\udbff]/.test(this.#waiting.charAt(PART_CHARACTERS - 1));
      const end = isHalf ? PART_CHARACTERS - 1 : PART_CHARACTERS;
      yield this.#waiting.slice(0, end);
      this.#waiting = this.#waiting.slice(end);
    }
  }

  /** The last part; empty if the text is. */
  get rest(): string {
    return this.#waiting;
  }
}
