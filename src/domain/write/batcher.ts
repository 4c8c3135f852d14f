/** Maximum milliseconds after a batch that the next one waits for more items. */
const LINGER_MS = 4;
/** Milliseconds after which waiting items no longer wait for the batch in flight. */
const PATIENCE_MS = 50;
/** A batch that waits for locks must not hold up items unrelated to it. */
const MAX_IN_FLIGHT = 2;

/**
 * Collects the items to write for one store and decides when the next batch begins. A small batch costs nearly as much
 * as a large one, so under load it pays to wait a moment: clients whose requests were just served send their next ones,
 * and a batch gets nearly all of them. Nothing waits after a pause or if it is alone.
 */
export class Batcher<Item extends { since: number }> {
  readonly #maxBatch: number;
  readonly #write: (batch: Item[]) => Promise<void>;
  readonly #waiting: Item[] = [];
  #inFlight = 0;
  /** Items to expect in the next batch: as many as the last one had, and those that arrived meanwhile. */
  #expected = 0;
  #lingerUntil = 0;
  /** Ends the wait for more items. */
  #endLinger: (() => void) | undefined;
  #parallelTimer: NodeJS.Timeout | undefined;

  /** `write` must not reject. */
  constructor(maxBatch: number, write: (batch: Item[]) => Promise<void>) {
    this.#maxBatch = maxBatch;
    this.#write = write;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** When the oldest item was added, by `performance.now()`. */
  get since(): number | undefined {
    return this.#waiting[0]?.since;
  }

  /** Adds an item, whose `since` must be now. */
  add(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length >= this.#expected) this.#endLinger?.();
    if (this.#inFlight === 0) void this.#run();
    else this.#scheduleParallelBatch();
  }

  async #run(): Promise<void> {
    this.#inFlight += 1;
    // Let requests that arrived together join the first batch.
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

  /** Waits briefly until the expected number of items has arrived. */
  async #linger(): Promise<void> {
    const ms = this.#lingerUntil - performance.now();
    if (ms <= 0 || this.#waiting.length >= this.#expected) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endLinger = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endLinger = undefined;
  }

  /** Begins a batch beside the one in flight once an item has waited too long. */
  #scheduleParallelBatch(): void {
    if (this.#parallelTimer || this.since === undefined || this.#inFlight === MAX_IN_FLIGHT) return;
    const ms = Math.max(0, this.since + PATIENCE_MS - performance.now());
    this.#parallelTimer = setTimeout(() => {
      this.#parallelTimer = undefined;
      if (this.since === undefined || this.#inFlight === MAX_IN_FLIGHT) return;
      if (performance.now() - this.since >= PATIENCE_MS) void this.#run();
      else this.#scheduleParallelBatch();
    }, ms);
  }
}
