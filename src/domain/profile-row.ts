import { sql } from 'kysely';
import type { Profile } from './write/draft.ts';

/** A profile as a raw query returns it; see `EventRow`. */
export type ProfileRow = Omit<Profile, 'createdAt' | 'updatedAt'> & { created: number; updated: number };

/** What to select from `profile p` for it. */
export const PROFILE_COLUMNS = sql`
  p.id, p.external_id as "externalId", p.email, p.phone, p.anonymous_id as "anonymousId", p.attributes,
  (extract(epoch from p.created_at) * 1000)::float8 as created,
  (extract(epoch from p.updated_at) * 1000)::float8 as updated`;

export function toProfile({ id, externalId, email, phone, anonymousId, attributes, ...times }: ProfileRow): Profile {
  const [createdAt, updatedAt] = [new Date(times.created), new Date(times.updated)];
  return { id, externalId, email, phone, anonymousId, attributes, createdAt, updatedAt };
}
