/** Ends what it holds at the same time, where an `AsyncDisposableStack` does so one after the other. */
export class DisposableGroup implements AsyncDisposable {
  readonly #ends: (() => unknown)[] = [];

  defer(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Rejects once all have ended, if any has failed. */
  async [Symbol.asyncDispose](): Promise<void> {
    const outcomes = await Promise.allSettled(this.#ends.map(async (end) => end()));
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, 'Several parts did not end as they should');
  }
}
