import { ServiceError } from '../domain/service-error.ts';
import { isId } from '../ids/uuid-v7.ts';

/** Returns the id of a sender in a path. Throws `not_found` if it can't be one. */
export function senderId(text: string): string {
  return existingSender(isId(text) ? text.toLowerCase() : undefined);
}

/** Throws `not_found` in the place of a sender that there is not. */
export function existingSender<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such sender');
  return found;
}
