import type { Profile as ProfileBody, ProfileWithConsent } from '../../../generated/native/types.gen.ts';
import type { Unconfirmed } from '../../domain/confirmations/unconfirmed.ts';
import type { Consent } from '../../domain/consent/consent.ts';
import type { Profile } from '../../domain/profile.ts';
import { renderConsent } from './consent.ts';

export function renderProfile(profile: Profile): ProfileBody {
  return {
    id: profile.id,
    identifiers: {
      email: profile.email,
      phone: profile.phone,
      external_id: profile.externalId,
      ...(profile.sourceId !== null && { source_id: profile.sourceId }),
      ...(profile.anonymousId !== null && { anonymous_id: profile.anonymousId }),
    },
    attributes: profile.attributes as ProfileBody['attributes'],
    created_at: profile.createdAt.toISOString(),
    updated_at: profile.updatedAt.toISOString(),
  };
}

/** `askedFor`: the id that was asked for, which may be that of a profile that was merged into this one. */
export function renderProfileWithConsent(
  profile: Profile,
  consent: Consent,
  unconfirmed: readonly Unconfirmed[],
  askedFor: string,
): ProfileWithConsent {
  const { id, identifiers, attributes, ...times } = renderProfile(profile);
  const mergedFrom = askedFor === id ? {} : { merged_from: askedFor };
  return { id, identifiers, attributes, consent: renderConsent(consent, unconfirmed), ...times, ...mergedFrom };
}
