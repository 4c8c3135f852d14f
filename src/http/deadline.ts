import { SharedTimeout } from '../concurrency/shared-timeout.ts';
import { ServiceError } from '../domain/service-error.ts';
import { DATABASE_BUDGET_MS } from '../process/limits.ts';

/** Milliseconds that stay for the work itself, however long its turn took to come. */
const LEFT_TO_WORK_MS = 2_500;

/** The time that one request may spend on waiting for the database. What its client takes to send the body is not counted. */
export class Deadline {
  #left: number;
  #isOver = false;
  #controller: AbortController | undefined;

  constructor(ms: number = DATABASE_BUDGET_MS) {
    this.#left = ms;
  }

  /** Milliseconds. */
  get left(): number {
    return this.#left;
  }

  /** Aborted once the time is over: nobody waits for the result any more. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Takes from what is left the time that something else took, but for what a transaction may need. */
  spend(ms: number): void {
    this.#left = Math.max(Math.min(this.#left, LEFT_TO_WORK_MS), this.#left - ms);
  }

  /** The result of some work, or `database_error` where it takes longer than is left. The work itself goes on. */
  enforce<T>(work: Promise<T>): Promise<T> {
    const start = performance.now();
    return new Promise<T>((resolve, reject) => {
      const wait = new SharedTimeout(this.#left, () => {
        this.#isOver = true;
        this.#controller?.abort();
        reject(new ServiceError('database_error', 'The database did not respond in time; try again'));
      });
      const end = () => {
        wait.cancel();
        this.#left = Math.max(0, this.#left - (performance.now() - start));
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
}
