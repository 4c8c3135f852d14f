/**
 * How late it may be seen that a wait has taken too long: all of them share a timer, because to start and stop one for
 * each is a twentieth of what a request costs.
 */
const CHECK_MS = 50;

/**
 * An array, in whose places the last one follows those that have ended. A set would make itself a new table now and
 * then; old tables refer to the newer ones, and so keep what waited, whole requests, until a major collection.
 */
const waits: Wait[] = [];
let timer: NodeJS.Timeout | undefined;

/** A wait that is given up after so many milliseconds, and then told so, unless it ends before. */
export class Wait {
  readonly #until: number;
  readonly #giveUp: () => void;
  #place: number | undefined;

  constructor(ms: number, giveUp: () => void) {
    this.#until = performance.now() + ms;
    this.#giveUp = giveUp;
    this.#place = waits.push(this) - 1;
    timer ??= setInterval(Wait.#check, CHECK_MS);
  }

  /** Also where it has been given up. */
  end(): void {
    const place = this.#place;
    if (place === undefined) return;
    this.#place = undefined;
    const last = waits.pop() as Wait;
    if (last === this) return;
    waits[place] = last;
    last.#place = place;
  }

  static #check(): void {
    const now = performance.now();
    for (const wait of waits.filter((each) => each.#until <= now)) {
      wait.end();
      wait.#giveUp();
    }
    if (waits.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
}
