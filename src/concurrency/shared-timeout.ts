/**
 * Maximum milliseconds by which a timeout fires late: all share one timer, because starting and stopping a timer for
 * each would add a twentieth to the cost of a request.
 */
const CHECK_MS = 50;

/**
 * An array, in which the last entry takes the place of a removed one. A set's old tables would keep whole requests
 * alive; see the guide on performance.
 */
const timeouts: SharedTimeout[] = [];
let timer: NodeJS.Timeout | undefined;

/** A timeout that calls back after `ms` milliseconds unless it is cancelled first. */
export class SharedTimeout {
  readonly #dueAt: number;
  readonly #onTimeout: () => void;
  #index: number | undefined;

  constructor(ms: number, onTimeout: () => void) {
    this.#dueAt = performance.now() + ms;
    this.#onTimeout = onTimeout;
    this.#index = timeouts.push(this) - 1;
    timer ??= setInterval(SharedTimeout.#fireDue, CHECK_MS);
  }

  /** Does nothing if the timeout has fired. */
  cancel(): void {
    const index = this.#index;
    if (index === undefined) return;
    this.#index = undefined;
    const last = timeouts.pop() as SharedTimeout;
    if (last === this) return;
    timeouts[index] = last;
    last.#index = index;
  }

  static #fireDue(): void {
    const now = performance.now();
    for (const timeout of timeouts.filter((each) => each.#dueAt <= now)) {
      // Cancelled because an earlier one fired.
      if (timeout.#index === undefined) continue;
      timeout.cancel();
      timeout.#onTimeout();
    }
    if (timeouts.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
}
