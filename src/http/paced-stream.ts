import { Readable } from 'node:stream';

/** Bytes passed on at a time: those that the client does not read stay in its connection, uncounted. */
const CHUNK_BYTES = 32 * 1024;

/**
 * A response body in pieces, each passed on once the client has read the one before, so that at most one is buffered.
 */
export class PacedStream extends Readable {
  #waiting: { text: Buffer; from: number; onRead: () => void } | undefined;
  #isReadRequested = false;
  #readAt = performance.now();

  constructor() {
    super({ highWaterMark: CHUNK_BYTES });
  }

  /** Whether everything has been read. */
  isReady(): boolean {
    return !this.#waiting;
  }

  /** Milliseconds since the client last read any of what is waiting; 0 if nothing is. */
  silence(): number {
    return this.#waiting ? performance.now() - this.#readAt : 0;
  }

  /**
   * Must only be called when ready. Several streams may send the same text, which is held until all clients have read
   * it.
   */
  send(text: Buffer, onRead: () => void = () => {}): void {
    if (this.destroyed) {
      onRead();
      return;
    }
    this.#waiting = { text, from: 0, onRead };
    this.#readAt = performance.now();
    if (this.#isReadRequested) this.#pushChunk();
  }

  /** Ends the body, or cuts the connection if data is still waiting. */
  end(): void {
    if (this.#waiting) this.destroy();
    else this.push(null);
  }

  override _read(): void {
    this.#isReadRequested = true;
    this.#pushChunk();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#clear();
    callback(error);
  }

  #pushChunk(): void {
    if (!this.#waiting) return;
    const { text, from } = this.#waiting;
    // A copy: a view would hold the whole text.
    const chunk = Buffer.from(text.subarray(from, from + CHUNK_BYTES));
    this.#waiting.from += chunk.length;
    this.#readAt = performance.now();
    if (this.#waiting.from >= text.length) this.#clear();
    this.#isReadRequested = false;
    this.push(chunk);
  }

  #clear(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.onRead();
  }
}
