import { StartError } from '../process/start-error.ts';

/**
 * A backup in our own format is a gzipped stream of frames: one byte for the kind, four for the length, then the
 * content. First comes a header, then for each table its rows in chunks and `rows-end`, then the end: a file without it
 * is truncated.
 */
const KINDS = { header: 1, rows: 2, 'rows-end': 3, end: 4 };
type Kind = keyof typeof KINDS;

const PREFIX_BYTES = 5;
/** Maximum bytes of a frame; a chunk of rows is as large as what one read from the socket returns. */
const MAX_BYTES = 64 * 1024 * 1024;

interface Frame {
  kind: number;
  bytes: Buffer;
}

export function toFrame(kind: Kind, content: Buffer | object = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt8(KINDS[kind]);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/** Reads frames in their required order. Throws a `StartError` if the order is wrong. */
export class FrameReader {
  readonly #frames: AsyncGenerator<Frame, void>;

  constructor(stream: AsyncIterable<Buffer>) {
    this.#frames = readFrames(stream);
  }

  /** Returns the content of the next frame. */
  async expect(kind: 'header' | 'end'): Promise<unknown> {
    const frame = await this.#nextFrame();
    if (frame.kind !== KINDS[kind]) throw damagedError();
    try {
      return JSON.parse(frame.bytes.toString());
    } catch {
      throw damagedError();
    }
  }

  /** Yields the rows of the next table. */
  async *rows(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const { kind, bytes } = await this.#nextFrame();
      if (kind === KINDS['rows-end']) return;
      if (kind !== KINDS.rows) throw damagedError();
      yield bytes;
    }
  }

  /** Reads to the end of the stream, where gzip keeps its checksum. */
  async finish(): Promise<void> {
    if (!(await this.#frames.next()).done) throw damagedError();
  }

  async #nextFrame(): Promise<Frame> {
    const { value } = await this.#frames.next();
    if (!value) throw damagedError();
    return value;
  }
}

async function* readFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame, void> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of stream) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      while (rest.length >= PREFIX_BYTES) {
        const end = PREFIX_BYTES + rest.readUInt32BE(1);
        if (end > MAX_BYTES) throw damagedError();
        if (rest.length < end) break;
        yield { kind: rest.readUInt8(), bytes: rest.subarray(PREFIX_BYTES, end) };
        rest = rest.subarray(end);
      }
    }
  } catch (error) {
    // The error of the decompressor for bytes that are not gzip or that end too early.
    throw (error as { code?: string }).code?.startsWith('Z_') ? damagedError() : error;
  }
  if (rest.length > 0) throw damagedError();
}

function damagedError(): StartError {
  return new StartError('The file is not a backup of Footfall, or it is damaged or incomplete');
}
