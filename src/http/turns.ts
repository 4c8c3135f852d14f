import type { Deadline } from './deadline.ts';

/**
 * Large requests of a store are worked on one at a time, in order. More of them would be no faster, fill the memory with
 * their objects, and hold up what is small for longer.
 */
export class Turns {
  /** Those that wait, by store, where one is under way. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Throws where the request has been given up when its turn comes. */
  async run<Result>(storeId: string, deadline: Deadline, work: () => Promise<Result>): Promise<Result> {
    const waiting = this.#waiting.get(storeId);
    if (waiting) await new Promise<void>((resolve) => waiting.push(resolve));
    else this.#waiting.set(storeId, []);
    try {
      if (deadline.isOver) throw new Error('Its turn came too late');
      return await work();
    } finally {
      const next = this.#waiting.get(storeId)?.shift();
      if (next) next();
      else this.#waiting.delete(storeId);
    }
  }
}
