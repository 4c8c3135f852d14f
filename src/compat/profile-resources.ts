import type { FoundProfile } from '../../generated/compat/types.gen.ts';
import type { Sql } from '../db/orm.ts';
import { checkParsable } from '../db/raw-json.ts';
import type { Caller } from '../domain/caller.ts';
import type { Consent } from '../domain/consent/consent.ts';
import { readConsents } from '../domain/consent/read-consents.ts';
import type { Profile } from '../domain/profile.ts';
import { lastEventTimes } from '../domain/reading/profile-search.ts';
import { toProfileDocument } from './document/profile.ts';
import { toSubscriptions } from './document/subscription-state.ts';
import { pickAttributes } from './query/sparse.ts';

/** The parameters that say how profiles are shown. */
export interface ProfileView {
  'fields[profile]'?: readonly string[];
  'additional-fields[profile]'?: readonly string[];
}

/** Returns profiles as they are read; `base` is the surface's address. */
export async function toProfileResources(
  sql: Sql,
  caller: Caller,
  profiles: readonly Profile[],
  view: ProfileView,
  base: string,
): Promise<FoundProfile[]> {
  checkParsable(profiles.map(({ attributes }) => attributes));
  const ids = profiles.map(({ id }) => id);
  const lastEvents = await lastEventTimes(sql, caller, shows(view, 'last_event_date') ? ids : []);
  const consents = showsSubscriptions(view) ? await readConsents(sql, caller.storeId, ids) : undefined;
  return profiles.map((profile) => {
    const self = `${base}/profiles/${profile.id}`;
    const { data } = toProfileDocument(profile, lastEvents.get(profile.id) ?? null, self);
    return pickAttributes(withSubscriptions(data, consents?.get(profile.id)), view['fields[profile]']);
  });
}

function shows(view: ProfileView, attribute: string): boolean {
  return view['fields[profile]']?.some((name) => name.trim() === attribute) ?? true;
}

export function showsSubscriptions(view: ProfileView | undefined): boolean {
  return view?.['additional-fields[profile]']?.includes('subscriptions') ?? false;
}

/** Adds what a customer has chosen to the resource of their profile, if it was asked for. */
export function withSubscriptions<Resource extends { attributes: object }>(
  resource: Resource,
  consent: Consent | undefined,
): Resource {
  if (!consent) return resource;
  return { ...resource, attributes: { ...resource.attributes, subscriptions: toSubscriptions(consent) } };
}
