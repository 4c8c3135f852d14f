import { DATABASE_BUDGET_MS } from '../bounds.ts';
import { ServiceError } from '../domain/errors.ts';
import { Wait } from '../wait.ts';

/** The time that one request may spend on waiting for the database. What its client takes to send the body is not counted. */
export class Deadline {
  #left = DATABASE_BUDGET_MS;

  get isOver(): boolean {
    return this.#left === 0;
  }

  /** The result of some work, or `database_error` where it takes longer than is left. The work itself goes on. */
  within<T>(work: Promise<T>): Promise<T> {
    const start = performance.now();
    return new Promise<T>((resolve, reject) => {
      const wait = new Wait(this.#left, () => {
        this.#left = 0;
        reject(new ServiceError('database_error', 'The database did not answer in time; try again'));
      });
      const end = () => {
        wait.end();
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
