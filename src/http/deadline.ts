import { ServiceError } from '../domain/errors.ts';

/** Whatever the database does, a request answers within 5 s; this leaves time to write the answer. */
const DEADLINE_MS = 4_700;

/** The result of some work, or `database_error` where it takes too long. The work itself goes on. */
export async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ServiceError('database_error', 'The database did not answer in time; try again')),
      DEADLINE_MS,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
