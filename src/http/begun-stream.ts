import { Readable } from 'node:stream';

/** Bytes that are held until the client has read them, besides a piece. */
const HELD = 64 * 1024;

/**
 * Returns a body of pieces, each made once the one before has been read. The first is there: what fails before it is an error of the
 * request, while a failure later breaks the connection. Throws if the signal is aborted meanwhile, as nobody would read it then.
 */
export async function begunStream(pieces: AsyncGenerator<Buffer>, signal: AbortSignal): Promise<Readable> {
  const first = await pieces.next();
  if (signal.aborted) {
    await pieces.return(undefined);
    throw signal.reason;
  }
  async function* all() {
    if (!first.done) yield first.value;
    yield* pieces;
  }
  return Readable.from(all(), { objectMode: false, highWaterMark: HELD });
}
