/** Milliseconds after a batch for which the next one waits for company at most. */
const LINGER_MS = 4;
/** Milliseconds after which what waits is no longer held back by the batch that is under way. */
const PATIENCE_MS = 50;
/** One batch that waits for locks must not hold up all that have nothing to do with them. */
const MAX_IN_FLIGHT = 2;

/**
 * What waits to be written for one store, and when the next batch of it begins. A small batch costs nearly as much as a
 * large one, so that under load it pays to wait a moment: clients that were just answered send their next requests, and
 * each batch has about all of them. After a pause, and alone, nothing waits.
 */
export class Batcher<Item extends { since: number }> {
  readonly #maxBatch: number;
  readonly #write: (batch: Item[]) => Promise<void>;
  readonly #waiting: Item[] = [];
  #inFlight = 0;
  /** How many come together: those of the last batch, and those that came meanwhile. */
  #expected = 0;
  #lingerUntil = 0;
  /** Ends the wait for company. */
  #arrived: (() => void) | undefined;
  #impatience: NodeJS.Timeout | undefined;

  /** `write` gets a batch, and never rejects. */
  constructor(maxBatch: number, write: (batch: Item[]) => Promise<void>) {
    this.#maxBatch = maxBatch;
    this.#write = write;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Since when the oldest waits, by `performance.now()`. */
  get since(): number | undefined {
    return this.#waiting[0]?.since;
  }

  /** Adds an item, whose `since` is now. */
  add(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length >= this.#expected) this.#arrived?.();
    if (this.#inFlight === 0) void this.#run();
    else this.#bePatient();
  }

  async #run(): Promise<void> {
    this.#inFlight += 1;
    // Let the requests that arrived together join the first batch.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      await this.#linger();
      // Another batch may have taken all of it meanwhile.
      if (this.#waiting.length === 0) break;
      const batch = this.#waiting.splice(0, this.#maxBatch);
      await this.#write(batch);
      this.#expected = Math.min(batch.length + this.#waiting.length, this.#maxBatch);
      this.#lingerUntil = performance.now() + LINGER_MS;
    }
    this.#inFlight -= 1;
  }

  /** Waits until as many are there as come together, for a moment at most. */
  async #linger(): Promise<void> {
    const ms = this.#lingerUntil - performance.now();
    if (ms <= 0 || this.#waiting.length >= this.#expected) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#arrived = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#arrived = undefined;
  }

  /** Begins a batch beside the one that is under way, once something has waited for it for too long. */
  #bePatient(): void {
    if (this.#impatience || this.since === undefined || this.#inFlight === MAX_IN_FLIGHT) return;
    const ms = Math.max(0, this.since + PATIENCE_MS - performance.now());
    this.#impatience = setTimeout(() => {
      this.#impatience = undefined;
      if (this.since === undefined || this.#inFlight === MAX_IN_FLIGHT) return;
      if (performance.now() - this.since >= PATIENCE_MS) void this.#run();
      else this.#bePatient();
    }, ms);
  }
}
