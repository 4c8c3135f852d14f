/** How many to take in one transaction: fewer after what took too long, and soon more again. */
export class BatchSize {
  readonly #max: number;
  size: number;

  constructor(max: number) {
    this.#max = max;
    this.size = max;
  }

  /** After so many have taken too long. */
  narrow(from: number): void {
    this.size = narrowed(from);
  }

  widen(): void {
    this.size = Math.min(this.#max, this.size * 2);
  }
}

/** Few steps down to one: each of them has taken all the time that there is. */
export function narrowed(size: number): number {
  return Math.max(1, Math.floor(size / 8));
}

/** Milliseconds that the customers of a range are to take. */
const RANGE_MS = 250;
/** Customers of a range: the first one, at the least and at the most. */
const [FIRST, LEAST, MOST] = [500, 50, 5_000];
/** Ranges that differ by less than that tell nothing: others differ as much that are equally large. */
const MIN_DIFFERENCE = 0.25;

/**
 * How many customers to build at a time: as many as take some time by themselves. What a range takes besides, however
 * small it is (the way to Postgres and back, the planning of many conditions) would be paid the more often, the smaller
 * they became.
 */
export class RangeSize {
  #size = FIRST;
  /** Milliseconds that a range takes whatever its size, as far as is known. */
  #fixed = 0;
  #other: { customers: number; ms: number } | undefined;

  get size(): number {
    return this.#size;
  }

  /** Notes what a range of so many customers has taken. */
  note(customers: number, ms: number): void {
    const other = this.#other;
    const isOther = other && Math.abs(customers - other.customers) >= MIN_DIFFERENCE * other.customers;
    if (other && isOther) {
      const each = (ms - other.ms) / (customers - other.customers);
      this.#fixed = ms - customers * Math.min(ms / customers, Math.max(0, each));
    }
    // Also where the size changes only a little each time, it is held against one that was another in the end.
    if (!other || isOther) this.#other = { customers, ms };
    const factor = RANGE_MS / Math.max(1, ms - this.#fixed);
    const size = Math.round(customers * Math.min(2, Math.max(0.25, factor)));
    this.#size = Math.min(MOST, Math.max(LEAST, size));
  }

  /** After so many customers have taken too long. */
  narrow(from: number): void {
    this.#size = narrowed(from);
    this.#other = undefined;
  }
}
