import type { Profile as ProfileBody } from '../../../generated/native/types.gen.ts';
import type { Profile } from '../../domain/profile.ts';

export function renderProfile(profile: Profile): ProfileBody {
  return {
    id: profile.id,
    identifiers: { email: profile.email, phone: profile.phone, external_id: profile.externalId },
    attributes: profile.attributes as ProfileBody['attributes'],
    created_at: profile.createdAt.toISOString(),
    updated_at: profile.updatedAt.toISOString(),
  };
}
