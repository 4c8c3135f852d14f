import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { ExportedFile } from './as-csv.ts';

const [LOCAL, DESCRIPTOR, CENTRAL, END] = [0x04034b50, 0x08074b50, 0x02014b50, 0x06054b50];
/** Version 2.0, deflated; sizes follow the data, and names are UTF-8. */
const [VERSION, DEFLATED, FLAGS] = [20, 8, 0x0808];
/** Sizes and places are written in 32 bits. */
const MAX_BYTES = 0xffffffff;

interface Written {
  name: Buffer;
  crc: number;
  compressed: number;
  size: number;
  at: number;
}

/**
 * Writes files one after the other into a zip archive, as they are read: nothing of them is kept. Deflating is done beside the
 * event loop. Throws if the archive gets larger than 4 GB.
 */
export async function* zip(files: readonly ExportedFile[], date: Date): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let at = 0;
  const counted = (bytes: Buffer): Buffer => {
    at += bytes.length;
    if (at > MAX_BYTES) throw new Error('An archive would be larger than 4 GB');
    return bytes;
  };
  for (const { name, text } of files) {
    const file: Written = { name: Buffer.from(name), crc: 0, compressed: 0, size: 0, at };
    yield counted(Buffer.concat([header(LOCAL, file, date), file.name]));
    for await (const bytes of deflated(text, file)) yield counted(bytes);
    yield counted(descriptor(file));
    written.push(file);
  }
  const start = at;
  for (const file of written) yield counted(Buffer.concat([header(CENTRAL, file, date), file.name]));
  yield end(written.length, at - start, start);
}

async function* deflated(texts: AsyncIterable<string>, file: Written): AsyncGenerator<Buffer> {
  async function* measured() {
    for await (const text of texts) {
      const bytes = Buffer.from(text);
      file.crc = crc32(bytes, file.crc);
      file.size += bytes.length;
      if (file.size > MAX_BYTES) throw new Error('A file of an archive would be larger than 4 GB');
      yield bytes;
    }
  }
  const source = Readable.from(measured(), { objectMode: false });
  const deflate = createDeflateRaw();
  source.on('error', (error) => deflate.destroy(error));
  try {
    for await (const bytes of source.pipe(deflate) as AsyncIterable<Buffer>) {
      file.compressed += bytes.length;
      yield bytes;
    }
  } finally {
    source.destroy();
  }
}

/** Of a file, before its data or, with where that is, at the end of the archive. */
function header(signature: number, { name, crc, compressed, size, at }: Written, date: Date): Buffer {
  const isCentral = signature === CENTRAL;
  const bytes = Buffer.alloc(isCentral ? 46 : 30);
  bytes.writeUInt32LE(signature, 0);
  // By which version it was made comes first.
  if (isCentral) bytes.writeUInt16LE(VERSION, 4);
  const from = isCentral ? 6 : 4;
  for (const [i, value] of [VERSION, FLAGS, DEFLATED, ...dosTime(date)].entries()) {
    bytes.writeUInt16LE(value, from + 2 * i);
  }
  if (isCentral) {
    for (const [i, value] of [crc, compressed, size].entries()) bytes.writeUInt32LE(value, 16 + 4 * i);
    bytes.writeUInt32LE(at, 42);
  }
  bytes.writeUInt16LE(name.length, isCentral ? 28 : 26);
  return bytes;
}

/** The time and the date, in steps of two seconds, as archives have them since DOS. */
function dosTime(date: Date): [time: number, date: number] {
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return [time, ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()];
}

function descriptor({ crc, compressed, size }: Written): Buffer {
  const bytes = Buffer.alloc(16);
  for (const [i, value] of [DESCRIPTOR, crc, compressed, size].entries()) bytes.writeUInt32LE(value, 4 * i);
  return bytes;
}

function end(files: number, size: number, at: number): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(END, 0);
  bytes.writeUInt16LE(files, 8);
  bytes.writeUInt16LE(files, 10);
  bytes.writeUInt32LE(size, 12);
  bytes.writeUInt32LE(at, 16);
  return bytes;
}
