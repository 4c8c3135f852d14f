import { ServiceError } from '../domain/service-error.ts';
import { isId } from '../ids/uuid-v7.ts';

/** Returns the id of a feed in a path. Throws `not_found` if it can't be one. */
export function feedId(text: string): string {
  return existingFeed(isId(text) ? text.toLowerCase() : undefined);
}

/** Throws `not_found` in the place of a feed that there is not. */
export function existingFeed<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such feed');
  return found;
}

/** Returns the id of a run in a path. Throws `not_found` if it can't be one. */
export function feedRunId(text: string): string {
  return existingFeedRun(isId(text) ? text.toLowerCase() : undefined);
}

export function existingFeedRun<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such run');
  return found;
}
