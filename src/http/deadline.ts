import { SharedTimeout } from '../concurrency/shared-timeout.ts';
import { ServiceError } from '../domain/service-error.ts';

/** Of its time, kept for the work itself, however long the request waited for its permit. */
const KEPT = 2 / 3;

/** The time that one request may wait for the database. The time in which the client sends the body does not count. */
export class Deadline {
  #left: number;
  readonly #kept: number;
  #isOver = false;
  #controller: AbortController | undefined;
  /** What is done once the time of the work that is awaited has run out, and what counts it. */
  #expire: (() => void) | undefined;
  #clock: { since: number; timeout: SharedTimeout } | undefined;
  /** What is awaited at present that does not count. */
  #exceptions = 0;

  constructor(ms: number) {
    this.#left = ms;
    this.#kept = ms * KEPT;
  }

  /** Milliseconds. */
  get left(): number {
    return this.#left;
  }

  /** Aborted at the deadline: the client no longer waits for the result. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Deducts time spent on something else, but keeps what a transaction may need. */
  spend(ms: number): void {
    this.#left = Math.max(Math.min(this.#left, this.#kept), this.#left - ms);
  }

  /**
   * Returns the result of some work, or throws `database_error` if it exceeds the deadline. The work itself goes on.
   */
  enforce<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#expire = () => {
        this.#isOver = true;
        this.#controller?.abort();
        reject(new ServiceError('database_error', 'The database did not respond in time; try again'));
      };
      this.#count();
      const end = () => {
        this.#pause();
        this.#expire = undefined;
      };
      work.then(
        (value) => {
          end();
          resolve(value);
        },
        (error) => {
          end();
          reject(error);
        },
      );
    });
  }

  /**
   * Returns the result of something else than the database that the work waits for, and that bounds itself: its time does
   * not count.
   */
  async except<T>(other: Promise<T>): Promise<T> {
    this.#exceptions += 1;
    this.#pause();
    try {
      return await other;
    } finally {
      this.#exceptions -= 1;
      this.#count();
    }
  }

  #count(): void {
    if (this.#exceptions > 0 || this.#isOver || !this.#expire) return;
    this.#clock = { since: performance.now(), timeout: new SharedTimeout(this.#left, this.#expire) };
  }

  #pause(): void {
    if (!this.#clock) return;
    const { since, timeout } = this.#clock;
    this.#clock = undefined;
    timeout.cancel();
    this.#left = Math.max(0, this.#left - (performance.now() - since));
  }
}
