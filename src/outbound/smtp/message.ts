import { Readable, type Writable } from 'node:stream';

/** The bytes of a message on their way to a server, which is told when they begin, and when the last has left. */
export class Message extends Readable {
  /** Whether any of it has been sent, perhaps; and all of it. */
  isBegun = false;
  isSent = false;
  readonly #onProgress: () => void;
  readonly #raw: Uint8Array;

  constructor(raw: Uint8Array, onProgress: () => void) {
    super();
    this.#raw = raw;
    this.#onProgress = onProgress;
  }

  /** Called once the server has asked for the message, with what escapes its dots and adds the last one. */
  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    this.isBegun = true;
    this.#onProgress();
    // It ends once the socket has taken its last bytes.
    (destination as unknown as Writable).once('end', () => {
      this.isSent = true;
      this.#onProgress();
    });
    return super.pipe(destination);
  }

  override _read(): void {
    this.push(this.#raw);
    this.push(null);
  }
}
