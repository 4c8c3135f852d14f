import { writeSync } from 'node:fs';
import { pino } from 'pino';

/** Characters that are collected before they are written, and maximum milliseconds that they wait. */
const BUFFER_LENGTH = 15_360;
const FLUSH_MS = 100;
/** Maximum bytes that wait for a slow reader. */
const MAX_PENDING = 8 * 1024 * 1024;
/** Milliseconds that a flush waits for the reader. */
const PATIENCE_MS = 1_000;

/**
 * Standard output as a log stream, written in large pieces: a system call for each line would add a twentieth to the
 * cost of a request. (The underlying stream could buffer too, but measures, and so copies, its whole buffer for each
 * line.) A slow reader delays neither the service nor its exit: lines it does not read are dropped, which a line
 * reports once it reads again.
 */
export class BufferedStdout {
  readonly #onDropped: (dropped: number) => void;
  readonly #stream = pino.destination({ dest: 1, sync: false });
  #collected = '';
  #lines = 0;
  /** Bytes that were passed to the stream and are not written yet. */
  #pending = 0;
  #dropped = 0;
  #readerIsGone = false;

  /** `onDropped` is called with the number of dropped lines once the reader reads again. */
  constructor(onDropped: (dropped: number) => void) {
    this.#onDropped = onDropped;
    this.#stream.on('write', (bytes) => {
      this.#pending -= bytes;
    });
    // After any other failure, such as a full disk, the stream retries with the next piece.
    this.#stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#readerIsGone ||= error.code === 'EPIPE';
    });
    // pino calls it when the process exits, and it would retry forever if nobody reads.
    this.#stream.flushSync = () => {};
    setInterval(() => this.#flushLines(), FLUSH_MS).unref();
    process.on('exit', () => this.#writeRest());
  }

  write(line: string): void {
    this.#collected += line;
    this.#lines += 1;
    if (this.#collected.length >= BUFFER_LENGTH) this.#flushLines();
  }

  /** Calls back once everything is written, or after a timeout. */
  flush(done: () => void): void {
    this.#flushLines();
    const deadline = performance.now() + PATIENCE_MS;
    const poll = () => {
      if (this.#pending === 0 || this.#readerIsGone || performance.now() > deadline) done();
      else setTimeout(poll, 10);
    };
    poll();
  }

  #flushLines(): void {
    if (this.#lines === 0) return;
    if (this.#pending > MAX_PENDING) {
      this.#dropped += this.#lines;
    } else {
      this.#pending += Buffer.byteLength(this.#collected);
      this.#stream.write(this.#collected);
    }
    this.#collected = '';
    this.#lines = 0;
    if (this.#dropped === 0 || this.#pending > MAX_PENDING) return;
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#onDropped(dropped);
  }

  /** Writes what is still buffered when the process exits abruptly. */
  #writeRest(): void {
    if (this.#pending > 0) return;
    try {
      writeSync(1, this.#collected);
    } catch {
      // Nobody reads, or not fast enough.
    }
  }
}
