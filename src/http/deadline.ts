import { DATABASE_BUDGET_MS } from '../bounds.ts';
import { ServiceError } from '../domain/errors.ts';

/**
 * How late it may be seen that the time is up: all waits share a timer, because to start and stop one for each is a
 * twentieth of what a request costs.
 */
const CHECK_MS = 50;

interface Wait {
  /** By `performance.now()`. */
  until: number;
  giveUp(): void;
}

const waits = new Set<Wait>();
let timer: NodeJS.Timeout | undefined;

function watch(wait: Wait): void {
  waits.add(wait);
  timer ??= setInterval(check, CHECK_MS);
}

function check(): void {
  const now = performance.now();
  for (const { until, giveUp } of waits) if (until <= now) giveUp();
  if (waits.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** The time that one request may spend on waiting for the database. What its client takes to send the body is not counted. */
export class Deadline {
  #left = DATABASE_BUDGET_MS;

  /** The result of some work, or `database_error` where it takes longer than is left. The work itself goes on. */
  within<T>(work: Promise<T>): Promise<T> {
    const start = performance.now();
    return new Promise<T>((resolve, reject) => {
      const end = () => {
        waits.delete(wait);
        this.#left = Math.max(0, this.#left - (performance.now() - start));
      };
      const giveUp = () => {
        end();
        reject(new ServiceError('database_error', 'The database did not answer in time; try again'));
      };
      const wait = { until: start + this.#left, giveUp };
      watch(wait);
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
