/** Characters of a part, well below what the service takes. */
const PART_CHARACTERS = 200_000;
const READ_BYTES = 256 * 1024;
/** Bytes by which the encoding is told. */
const SNIFFED_BYTES = 4 * 1024;

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
 * encoding it is UTF-8, or UTF-16 where the file looks like it. Throws an `Error` for what is no text.
 */
export async function* partsOf(file: File, encoding?: string): AsyncGenerator<FilePart> {
  const decoder = new TextDecoder(encoding ?? (await guessEncoding(file)), { fatal: true });
  let waiting = '';
  for (let at = 0; at < file.size; at += READ_BYTES) {
    const read = Math.min(file.size, at + READ_BYTES);
    const bytes = await file.slice(at, read).arrayBuffer();
    waiting += decode(decoder, bytes, read < file.size);
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
  let text: string;
  try {
    text = decoder.decode(bytes, { stream });
  } catch {
    throw new Error(NO_TEXT);
  }
  if (text.includes('\0')) throw new Error(NO_TEXT);
  return text;
}

const NO_TEXT =
  'This file is no text in that encoding. Save the sheet as CSV in UTF-8, or choose the encoding that it has.';

/** UTF-16 is told by its mark, or by the zeros that every second byte of Latin letters is. */
async function guessEncoding(file: File): Promise<string> {
  const start = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const zeros = (parity: number) => start.filter((byte, i) => byte === 0 && i % 2 === parity).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (even + odd === 0) return 'utf-8';
  return odd > even ? 'utf-16le' : 'utf-16be';
}
