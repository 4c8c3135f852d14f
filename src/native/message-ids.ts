import { ServiceError } from '../domain/service-error.ts';
import { isId } from '../ids/uuid-v7.ts';

/** Returns the id of a message in a path. Throws `not_found` if it can't be one. */
export function messageId(text: string): string {
  return existingMessage(isId(text) ? text.toLowerCase() : undefined);
}

/** Throws `not_found` in the place of a message that there is not. */
export function existingMessage<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such message');
  return found;
}
