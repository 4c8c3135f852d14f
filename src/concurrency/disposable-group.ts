/** Ends what it holds at the same time, where an `AsyncDisposableStack` does so one after the other. */
export class DisposableGroup implements AsyncDisposable {
  readonly #ends: (() => unknown)[] = [];

  defer(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Rejects with the first failure, once all have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    const outcomes = await Promise.allSettled(this.#ends.map(async (end) => end()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}
