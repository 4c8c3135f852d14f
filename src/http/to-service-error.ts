import { isDatabaseError, isDiskFull } from '../db/driver-errors.ts';
import { ServiceError } from '../domain/service-error.ts';

/** Converts anything thrown to what the client may know of it. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (isDiskFull(thrown)) {
    return new ServiceError('database_error', 'The disk of the database is full; nothing was stored', {
      cause: thrown,
    });
  }
  if (isDatabaseError(thrown)) {
    return new ServiceError('database_error', 'The database did not respond; try again', { cause: thrown });
  }
  return new ServiceError('internal_error', 'Something went wrong on our side', { cause: thrown });
}
