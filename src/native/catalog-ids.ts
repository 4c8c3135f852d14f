import { ServiceError } from '../domain/service-error.ts';
import { isId } from '../ids/uuid-v7.ts';

/** Throws `not_found` in the place of an item that there is not. */
export function existingItem<Found>(found: Found | undefined): Found {
  return existing(found, 'item');
}

export function existingCategory<Found>(found: Found | undefined): Found {
  return existing(found, 'category');
}

export function existingSync<Found>(found: Found | undefined): Found {
  return existing(found, 'load of the catalog');
}

export function existingSubscription<Found>(found: Found | undefined): Found {
  return existing(found, 'subscription');
}

/** Returns the id of an item in a path. Throws `not_found` if it can't be one. */
export function itemId(text: string): string {
  return existingItem(isStorable(text) ? text : undefined);
}

/** Returns the id of a category in a path. Throws `not_found` if it can't be one. */
export function categoryId(text: string): string {
  return existingCategory(isStorable(text) ? text : undefined);
}

/** Returns the id of a load in a path. Throws `not_found` if it can't be one. */
export function syncId(text: string): string {
  return existingSync(isId(text) ? text.toLowerCase() : undefined);
}

/** Returns the id of a subscription in a path. Throws `not_found` if it can't be one. */
export function subscriptionId(text: string): string {
  return existingSubscription(isId(text) ? text.toLowerCase() : undefined);
}

const isStorable = (text: string) => !text.includes('\0');

function existing<Found>(found: Found | undefined, what: string): Found {
  if (found === undefined) throw new ServiceError('not_found', `There is no such ${what}`);
  return found;
}
