import { ServiceError } from '../domain/service-error.ts';
import { isId } from '../ids/uuid-v7.ts';

/** Returns the id of an endpoint in a path. Throws `not_found` if it can't be one. */
export function endpointId(text: string): string {
  return existingEndpoint(isId(text) ? text.toLowerCase() : undefined);
}

/** Throws `not_found` in the place of an endpoint that there is not. */
export function existingEndpoint<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such webhook endpoint');
  return found;
}

export function deliveryId(text: string): string {
  return existingDelivery(isId(text) ? text.toLowerCase() : undefined);
}

export function existingDelivery<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such webhook delivery');
  return found;
}
