import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import {
  Cutter,
  NulSearch,
  OTHERWISE,
  READ_BYTES,
  SNIFFED_BYTES,
  utf16Of,
} from '../../src/dashboard/pages/imports/text.ts';
import { UsageError } from '../keys/arguments.ts';

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
  const [hash, nuls] = [createHash('sha256'), new NulSearch()];
  try {
    for await (const text of decode(path, encoding, (bytes) => hash.update(bytes))) {
      const line = nuls.lineIn(text);
      if (line === undefined) continue;
      throw new UsageError(`${path} is not a text in ${encoding}: line ${line} has a NUL character`);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return undefined;
    throw error;
  }
  return hash.digest('hex');
}

async function guessEncoding(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return utf16Of(buffer.subarray(0, bytesRead)) ?? 'utf-8';
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
  const cutter = new Cutter();
  for await (const text of texts) yield* cutter.add(text);
  if (cutter.rest !== '') yield cutter.rest;
}
