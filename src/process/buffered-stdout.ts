import { writeSync } from 'node:fs';
import { pino } from 'pino';

/** Characters that are collected before they are written, and milliseconds that they wait at most. */
const BUFFER_LENGTH = 15_360;
const FLUSH_MS = 100;
/** Bytes that wait for a slow reader at most. */
const MAX_PENDING = 8 * 1024 * 1024;
/** Milliseconds that the end waits for it. */
const PATIENCE_MS = 1_000;

/**
 * Standard output as the stream of a log, which is written to in pieces: a system call for each line would be a
 * twentieth of what a request costs. (The stream that is underneath could collect them too, but measures, and so copies,
 * all that it has for each line.) Whoever reads it can hold up neither the service nor its end: what they do not read
 * is dropped, which a line says once they read again.
 */
export class BufferedStdout {
  readonly #onDropped: (dropped: number) => void;
  readonly #stream = pino.destination({ dest: 1, sync: false });
  #collected = '';
  #lines = 0;
  /** Bytes that were handed to the stream, and are not written yet. */
  #pending = 0;
  #dropped = 0;
  #readerIsGone = false;

  /** `onDropped` is called with the number of lines that were dropped, once there is somebody who reads. */
  constructor(onDropped: (dropped: number) => void) {
    this.#onDropped = onDropped;
    this.#stream.on('write', (bytes) => {
      this.#pending -= bytes;
    });
    // Whatever else fails, a full disk say, the stream tries again with the next piece.
    this.#stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#readerIsGone ||= error.code === 'EPIPE';
    });
    // pino calls it when the process ends. It tries for ever where nobody reads.
    this.#stream.flushSync = () => {};
    setInterval(() => this.#handOver(), FLUSH_MS).unref();
    process.on('exit', () => this.#writeRest());
  }

  write(line: string): void {
    this.#collected += line;
    this.#lines += 1;
    if (this.#collected.length >= BUFFER_LENGTH) this.#handOver();
  }

  /** Calls back once all is written, or it takes too long. */
  flush(done: () => void): void {
    this.#handOver();
    const deadline = performance.now() + PATIENCE_MS;
    const poll = () => {
      if (this.#pending === 0 || this.#readerIsGone || performance.now() > deadline) done();
      else setTimeout(poll, 10);
    };
    poll();
  }

  #handOver(): void {
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

  /** What a process that ends all of a sudden still holds. */
  #writeRest(): void {
    if (this.#pending > 0) return;
    try {
      writeSync(1, this.#collected);
    } catch {
      // Nobody reads, or not fast enough.
    }
  }
}
