import type { Invitation as InvitationBody, Person } from '../../../generated/native/types.gen.ts';
import type { Invitation } from '../../domain/people/invitations.ts';
import type { Member } from '../../domain/people/people.ts';
import { ServiceError } from '../../domain/service-error.ts';

export function renderPerson({
  id,
  email,
  name,
  role,
  createdAt,
  seenAt,
  hasSecondFactor,
  usesProvider,
}: Member): Person {
  const times = { joined_at: createdAt.toISOString(), seen_at: seenAt?.toISOString() ?? null };
  return { id, email, name, role, ...times, has_second_factor: hasSecondFactor, uses_identity_provider: usesProvider };
}

export function renderInvitation({ id, email, role, createdAt, expiresAt }: Invitation): InvitationBody {
  const times = { created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() };
  return { id, email: email ?? '', role, ...times };
}

/** Throws `not_found` in the place of a person who is not in the store. */
export function existingPerson<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such person');
  return found;
}
