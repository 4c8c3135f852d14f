import { ServiceError } from '../domain/service-error.ts';
import { isId } from '../ids/uuid-v7.ts';

/** Returns the id of a campaign in a path. Throws `not_found` if it can't be one. */
export function campaignId(text: string): string {
  return existingCampaign(isId(text) ? text.toLowerCase() : undefined);
}

/** Throws `not_found` in the place of a campaign that there is not. */
export function existingCampaign<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such campaign');
  return found;
}
