import { Cutter, NulSearch, OTHERWISE, READ_BYTES, SNIFFED_BYTES, utf16Of } from './text.ts';

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
  const [nuls, cutter] = [new NulSearch(), new Cutter()];
  for (let at = 0; at < file.size; at += READ_BYTES) {
    const read = Math.min(file.size, at + READ_BYTES);
    const bytes = await file.slice(at, read).arrayBuffer();
    const text = decode(decoder, bytes, read < file.size);
    const line = nuls.lineIn(text);
    if (line !== undefined) throw new Error(`Line ${line} has a NUL character. ${NO_TEXT}`);
    for (const part of cutter.add(text)) yield { text: part, read };
  }
  if (cutter.rest !== '') yield { text: cutter.rest, read: file.size };
}

function decode(decoder: TextDecoder, bytes: ArrayBuffer, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new Error(NO_TEXT);
  }
}

const NO_TEXT =
  'This file is no text in that encoding. Save the sheet as CSV in UTF-8, or choose the encoding that it has.';

/** Returns the encoding that the file looks like. */
export async function guessEncoding(file: File): Promise<string> {
  const start = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
  return utf16Of(start) ?? ((await isUtf8(file)) ? 'utf-8' : OTHERWISE);
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
