/** Characters of a part, well below what the service takes. */
const PART_CHARACTERS = 200_000;
const READ_BYTES = 256 * 1024;
/** Bytes by which the encoding is told. */
const SNIFFED_BYTES = 4 * 1024;
/** Of so many bytes of UTF-16, one is a zero at the least. */
const MIN_ZEROS = 6;

/** Encodings that spreadsheets save in, by their names in the browser. */
export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Western European (Windows)',
  'windows-1250': 'Central European (Windows)',
  'windows-1251': 'Cyrillic (Windows)',
  'utf-16le': 'UTF-16',
} as const;

/** A part of the text, and how many bytes of the file were read for all up to it. */
export interface FilePart {
  text: string;
  read: number;
}

/**
 * The text of a file in parts, always cut in the same way; of the file, no more than a part is in memory. Without an
 * encoding it is the one that the file looks like. Throws an `Error` for what is no text.
 */
export async function* partsOf(file: File, encoding?: string): AsyncGenerator<FilePart> {
  const decoder = new TextDecoder(encoding ?? (await guessEncoding(file)), { fatal: true });
  const lines = new LineCount();
  let waiting = '';
  for (let at = 0; at < file.size; at += READ_BYTES) {
    const read = Math.min(file.size, at + READ_BYTES);
    const bytes = await file.slice(at, read).arrayBuffer();
    const text = decode(decoder, bytes, read < file.size);
    const end = text.indexOf('\0');
    lines.add(end === -1 ? text : text.slice(0, end));
    if (end !== -1) throw new Error(`Line ${lines.current} has a NUL character. ${NO_TEXT}`);
    waiting += text;
    while (waiting.length > PART_CHARACTERS) {
      // Not between the halves of a character.
      const isHalf = /[\ud800-\udbff]/.test(waiting.charAt(PART_CHARACTERS - 1));
      const end = isHalf ? PART_CHARACTERS - 1 : PART_CHARACTERS;
      yield { text: waiting.slice(0, end), read };
      waiting = waiting.slice(end);
    }
  }
  if (waiting !== '') yield { text: waiting, read: file.size };
}

function decode(decoder: TextDecoder, bytes: ArrayBuffer, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new Error(NO_TEXT);
  }
}

/** The line that a text has come to, with either kind of line breaks. */
class LineCount {
  #feeds = 0;
  #returns = 0;

  add(text: string): void {
    this.#feeds += text.split('\n').length - 1;
    this.#returns += text.split('\r').length - 1;
  }

  get current(): number {
    return 1 + (this.#feeds || this.#returns);
  }
}

const NO_TEXT =
  'This file is no text in that encoding. Save the sheet as CSV in UTF-8, or choose the encoding that it has.';

/**
 * Returns what the file looks like. UTF-16 is told by its mark, or by the zeros that every second byte of Latin letters is;
 * what is neither that nor UTF-8 is most likely of a Western European Windows.
 */
export async function guessEncoding(file: File): Promise<string> {
  const start = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const zeros = (parity: number) => start.filter((byte, i) => byte === 0 && i % 2 === parity).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (Math.max(even, odd) * MIN_ZEROS > start.length) return odd > even ? 'utf-16le' : 'utf-16be';
  return (await isUtf8(file)) ? 'utf-8' : 'windows-1252';
}

async function isUtf8(file: File): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < file.size; at += READ_BYTES) {
      decoder.decode(await file.slice(at, at + READ_BYTES).arrayBuffer(), { stream: at + READ_BYTES < file.size });
    }
    return true;
  } catch {
    return false;
  }
}
