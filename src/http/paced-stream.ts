import { Readable } from 'node:stream';

/** Bytes that are handed on at a time: those that a client does not take stay in its connection, uncounted. */
const PIECE = 32 * 1024;

/** A body that comes bit by bit, each once its client has taken the one before, so that one is all that waits. */
export class PacedStream extends Readable {
  #waiting: { text: Buffer; from: number; taken: () => void } | undefined;
  #isAskedFor = false;
  #takenAt = performance.now();

  constructor() {
    super({ highWaterMark: PIECE });
  }

  /** Whether everything was taken. */
  isReady(): boolean {
    return !this.#waiting;
  }

  /** Milliseconds for which nothing was taken of what waits. */
  silence(): number {
    return this.#waiting ? performance.now() - this.#takenAt : 0;
  }

  /** Where it is ready. Several may be sent the same text; it is held until all have taken all of it. */
  send(text: Buffer, taken: () => void = () => {}): void {
    if (this.destroyed) {
      taken();
      return;
    }
    this.#waiting = { text, from: 0, taken };
    this.#takenAt = performance.now();
    if (this.#isAskedFor) this.#handOn();
  }

  /** Breaks the connection off where something still waits. */
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
