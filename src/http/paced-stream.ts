import { Readable } from 'node:stream';

/** Bytes passed on at a time: those that the client does not read stay in its connection, uncounted. */
const PIECE = 32 * 1024;

/**
 * A response body in pieces, each passed on once the client has read the one before, so that at most one is buffered.
 */
export class PacedStream extends Readable {
  #waiting: { text: Buffer; from: number; taken: () => void } | undefined;
  #isAskedFor = false;
  #takenAt = performance.now();

  constructor() {
    super({ highWaterMark: PIECE });
  }

  /** Whether everything has been read. */
  isReady(): boolean {
    return !this.#waiting;
  }

  /** Milliseconds since the client last read any of what is waiting; 0 if nothing is. */
  silence(): number {
    return this.#waiting ? performance.now() - this.#takenAt : 0;
  }

  /**
   * Must only be called when ready. Several streams may send the same text, which is held until all clients have read
   * it.
   */
  send(text: Buffer, taken: () => void = () => {}): void {
    if (this.destroyed) {
      taken();
      return;
    }
    this.#waiting = { text, from: 0, taken };
    this.#takenAt = performance.now();
    if (this.#isAskedFor) this.#handOn();
  }

  /** Ends the body, or cuts the connection if data is still waiting. */
  end(): void {
    if (this.#waiting) this.destroy();
    else this.push(null);
  }

  override _read(): void {
    this.#isAskedFor = true;
    this.#handOn();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#forget();
    callback(error);
  }

  #handOn(): void {
    if (!this.#waiting) return;
    const { text, from } = this.#waiting;
    // A copy: a view would hold the whole text.
    const piece = Buffer.from(text.subarray(from, from + PIECE));
    this.#waiting.from += piece.length;
    this.#takenAt = performance.now();
    if (this.#waiting.from >= text.length) this.#forget();
    this.#isAskedFor = false;
    this.push(piece);
  }

  #forget(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.taken();
  }
}
