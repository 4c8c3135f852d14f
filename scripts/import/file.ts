import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { UsageError } from '../keys/arguments.ts';

/** Characters of a part, well below what the service takes. */
const PART_CHARACTERS = 200_000;
const READ_BYTES = 256 * 1024;
/** Bytes by which the encoding is told. */
const SNIFFED_BYTES = 4 * 1024;

/** Of so many bytes of UTF-16, one is a zero at the least. */
const MIN_ZEROS = 6;
/** What a file is most likely in that is neither UTF-8 nor UTF-16. */
const OTHERWISE = 'windows-1252';

/** The text of a file, and what identifies its bytes. */
export interface TextFile {
  hash: string;
  encoding: string;
  /** Whether the encoding was neither given nor can be told from the file. */
  isGuess: boolean;
  /** The text, cut into parts, always in the same way. */
  parts(): AsyncGenerator<string>;
}

/** Reads a file once, so that what is wrong with it is known before anything is sent. Throws a `UsageError` for that. */
export async function openText(path: string, encoding: string | undefined): Promise<TextFile> {
  try {
    const chosen = encoding ?? (await guessEncoding(path));
    const read = await readOnce(path, chosen);
    const isGuess = read === undefined && encoding === undefined && chosen === 'utf-8';
    const hash = read ?? (isGuess ? await readOnce(path, OTHERWISE) : undefined);
    if (hash === undefined) {
      throw new UsageError(`${path} is not in ${chosen}; name its encoding, as --encoding ${OTHERWISE}`);
    }
    const found = isGuess ? OTHERWISE : chosen;
    return { hash, encoding: found, isGuess, parts: () => cut(decode(path, found, () => {})) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new UsageError(`${path} can't be read: ${(error as Error).message}`);
  }
}

/** Returns the hash of a file; undefined if it is not in that encoding. Throws a `UsageError` if it has a NUL. */
async function readOnce(path: string, encoding: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  let [feeds, returns] = [0, 0];
  try {
    for await (const text of decode(path, encoding, (bytes) => hash.update(bytes))) {
      const end = text.indexOf('\0');
      const before = end === -1 ? text : text.slice(0, end);
      feeds += before.split('\n').length - 1;
      returns += before.split('\r').length - 1;
      if (end === -1) continue;
      throw new UsageError(`${path} is not a text in ${encoding}: line ${1 + (feeds || returns)} has a NUL character`);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return undefined;
    throw error;
  }
  return hash.digest('hex');
}

/** UTF-16 is told by its mark, or by the zeros that every second byte of Latin letters is. */
async function guessEncoding(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    const start = buffer.subarray(0, bytesRead);
    const mark = start.subarray(0, 2).toString('hex');
    if (mark === 'fffe') return 'utf-16le';
    if (mark === 'feff') return 'utf-16be';
    const zeros = [0, 0];
    for (const [i, byte] of start.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] as number) + 1;
    const [even, odd] = zeros as [number, number];
    if (Math.max(even, odd) * MIN_ZEROS <= start.length) return 'utf-8';
    return odd > even ? 'utf-16le' : 'utf-16be';
  } finally {
    await file.close();
  }
}

async function* decode(path: string, encoding: string, see: (bytes: Buffer) => void): AsyncGenerator<string> {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new UsageError(`--encoding ${encoding} is not known`);
  }
  const file = await open(path);
  try {
    for await (const bytes of file.createReadStream({ highWaterMark: READ_BYTES, autoClose: false })) {
      see(bytes);
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  } finally {
    await file.close();
  }
}

async function* cut(texts: AsyncGenerator<string>): AsyncGenerator<string> {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    while (waiting.length > PART_CHARACTERS) {
      // Not between the halves of a character.
      const isHalf = /[\ud800-\udbff]/.test(waiting.charAt(PART_CHARACTERS - 1));
      const end = isHalf ? PART_CHARACTERS - 1 : PART_CHARACTERS;
      yield waiting.slice(0, end);
      waiting = waiting.slice(end);
    }
  }
  if (waiting !== '') yield waiting;
}
