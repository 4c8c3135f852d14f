import { DATABASE_BUDGET_MS } from '../bounds.ts';
import { ServiceError } from '../domain/errors.ts';

/** The time that one request may spend on waiting for the database. What its client takes to send the body is not counted. */
export class Deadline {
  #left = DATABASE_BUDGET_MS;

  /** The result of some work, or `database_error` where it takes longer than is left. The work itself goes on. */
  async within<T>(work: Promise<T>): Promise<T> {
    const start = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new ServiceError('database_error', 'The database did not answer in time; try again')),
        this.#left,
      );
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
      this.#left = Math.max(0, this.#left - (performance.now() - start));
    }
  }
}
