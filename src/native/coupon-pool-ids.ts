import { ServiceError } from '../domain/service-error.ts';
import { isId } from '../ids/uuid-v7.ts';

/** Returns the id of a pool in a path. Throws `not_found` if it can't be one. */
export function poolId(text: string): string {
  return existingPool(isId(text) ? text.toLowerCase() : undefined);
}

/** Throws `not_found` in the place of a pool that there is not. */
export function existingPool<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such pool');
  return found;
}
