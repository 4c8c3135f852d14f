/** Milliseconds for which a batch waits for company at most. */
const MAX_LINGER_MS = 5;
/** Milliseconds after which the batches under way are no reason any more to hold the next one back. */
const SLOW_MS = 20;
/** One that waits for locks must not hold up all that have nothing to do with them. */
const MAX_IN_FLIGHT = 2;

/**
 * What waits to be written for one store, and when the next batch of it begins. A small batch costs nearly as much as a
 * large one, so that under load it pays to wait a moment: clients that were just answered send their next requests, and
 * each batch has about all of them. After a pause, and alone, nothing waits.
 */
export class Lane<Item> {
  readonly #maxBatch: number;
  #waiting: Item[] = [];
  #inFlight = 0;
  #beganAt = 0;
  /** How many come together: those of the last batch, and those that came meanwhile. */
  #expected = 0;
  #lingerUntil = 0;
  #arrived: (() => void) | undefined;

  constructor(maxBatch: number) {
    this.#maxBatch = maxBatch;
  }

  get length(): number {
    return this.#waiting.length;
  }

  get oldest(): Item | undefined {
    return this.#waiting[0];
  }

  /** Adds an item, and begins to write where that is not under way: `write` gets a batch, and never rejects. */
  add(item: Item, write: (batch: Item[]) => Promise<void>): void {
    this.#waiting.push(item);
    if (this.#waiting.length >= this.#expected) this.#arrived?.();
    const isSlow = performance.now() - this.#beganAt > SLOW_MS;
    if (this.#inFlight === 0 || (isSlow && this.#inFlight < MAX_IN_FLIGHT)) void this.#run(write);
  }

  async #run(write: (batch: Item[]) => Promise<void>): Promise<void> {
    this.#inFlight += 1;
    this.#beganAt = performance.now();
    // Let the requests that arrived together join the first batch.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      await this.#linger();
      if (this.#waiting.length === 0) break;
      const batch = this.#waiting.splice(0, this.#maxBatch);
      this.#beganAt = performance.now();
      await write(batch);
      const now = performance.now();
      this.#expected = Math.min(batch.length + this.#waiting.length, this.#maxBatch);
      this.#lingerUntil = now + Math.min(now - this.#beganAt, MAX_LINGER_MS);
    }
    this.#inFlight -= 1;
  }

  /** Waits until as many are there as come together, as long as the last batch took. */
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
}
