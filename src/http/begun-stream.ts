import { Readable } from 'node:stream';

/** Bytes that are held until the client has read them, besides a piece. */
const HELD = 64 * 1024;

/** How slowly a client may read: milliseconds for a piece, and one more for so many bytes of it. */
const PATIENCE = { ms: 60_000, bytesPerMs: 4 };

/**
 * Returns a body of pieces, each made once the one before has been read. The first is there: what fails before it is an error of the
 * request, while a failure later breaks the connection, as does a client that has not read a piece in time: what the pieces need is
 * not held for ever. Throws if the signal is aborted meanwhile, as nobody would read it then.
 */
export async function begunStream(
  pieces: AsyncGenerator<Buffer>,
  signal: AbortSignal,
  { ms, bytesPerMs } = PATIENCE,
): Promise<Readable> {
  const first = await pieces.next();
  if (signal.aborted) {
    await pieces.return(undefined);
    throw signal.reason;
  }
  async function* all() {
    if (!first.done) yield* read(first.value);
    for await (const piece of pieces) yield* read(piece);
  }
  function* read(piece: Buffer) {
    const giveUp = () => stream.destroy(new Error('A client has not read a response in time'));
    const timer = setTimeout(giveUp, ms + piece.length / bytesPerMs);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
  }
  const stream = Readable.from(all(), { objectMode: false, highWaterMark: HELD });
  // A client that is gone before the first piece is asked for leaves nothing behind.
  stream.once('close', () => pieces.return(undefined).catch(() => {}));
  return stream;
}
