/** Requests that a process may have under way. Each endpoint takes a share of those that are free: none takes all. */
export class Slots {
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  /** Takes an eighth of those that are free, at least one if there is any. Returns how many. */
  reserve(): number {
    const taken = Math.ceil(this.#free / 8);
    this.#free -= taken;
    return taken;
  }

  release(count: number): void {
    this.#free += count;
  }
}
