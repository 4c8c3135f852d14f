/**
 * How late it may be seen that a wait has taken too long: all of them share a timer, because to start and stop one for
 * each is a twentieth of what a request costs.
 */
const CHECK_MS = 50;

/**
 * An array, in whose places the last one follows those that have ended. A set would make itself a new table now and
 * then; old tables refer to the newer ones, and so keep what waited, whole requests, until a major collection.
 */
const timeouts: SharedTimeout[] = [];
let timer: NodeJS.Timeout | undefined;

/** A wait that is given up after so many milliseconds, and then told so, unless it ends before. */
export class SharedTimeout {
  readonly #dueAt: number;
  readonly #onTimeout: () => void;
  #index: number | undefined;

  constructor(ms: number, giveUp: () => void) {
    this.#dueAt = performance.now() + ms;
    this.#onTimeout = giveUp;
    this.#index = timeouts.push(this) - 1;
    timer ??= setInterval(SharedTimeout.#check, CHECK_MS);
  }

  /** Also where it has been given up. */
  cancel(): void {
    const place = this.#index;
    if (place === undefined) return;
    this.#index = undefined;
    const last = timeouts.pop() as SharedTimeout;
    if (last === this) return;
    timeouts[place] = last;
    last.#index = place;
  }

  static #check(): void {
    const now = performance.now();
    for (const wait of timeouts.filter((each) => each.#dueAt <= now)) {
      // It has ended because one before it was given up.
      if (wait.#index === undefined) continue;
      wait.cancel();
      wait.#onTimeout();
    }
    if (timeouts.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
}
