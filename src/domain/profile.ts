import { type RawBuilder, sql } from 'kysely';
import type { ProfileRecord } from '../db/entities/profile.ts';
import { MAX_PARSED_BESIDE_REQUESTS, type RawJson } from '../db/raw-json.ts';
import type { Attributes } from './attributes/attributes.ts';

export interface Profile {
  id: string;
  externalId: string | null;
  email: string | null;
  phone: string | null;
  anonymousId: string | null;
  sourceId: string | null;
  attributes: Attributes | RawJson;
  createdAt: Date;
  updatedAt: Date;
}

/** A profile as a raw query returns it; see `EventRow`. */
export type ProfileRow = Pick<
  ProfileRecord,
  'id' | 'externalId' | 'email' | 'phone' | 'anonymousId' | 'sourceId' | 'attributes'
> & {
  created: number;
  updated: number;
};

const columns = (attributes: RawBuilder<unknown>) => sql`
  p.id, p.external_id as "externalId", p.email, p.phone, p.anonymous_id as "anonymousId",
  p.source_id as "sourceId", ${attributes} as attributes,
  (extract(epoch from p.created_at) * 1000)::float8 as created,
  (extract(epoch from p.updated_at) * 1000)::float8 as updated`;

/** Columns to select from `profile p` for a `ProfileRow`. */
export const PROFILE_COLUMNS = columns(sql`p.attributes`);
/** The same with empty attributes, which may be large. */
export const PROFILE_COLUMNS_ALONE = columns(sql`'{}'::jsonb`);

/** Bytes of jsonb up to which its text is certainly short enough, and above which it is certainly too long. */
const [SURELY_SHORT, SURELY_LONG] = [2_400, 512 * 1024];

/**
 * The same, with null for attributes too long to be parsed beside requests. Their decompressed size decides most cases,
 * at a tenth of the cost of printing them.
 */
export const SHORT_PROFILE_COLUMNS = columns(sql`
  case
    when pg_column_compression(p.attributes) is null and pg_column_size(p.attributes) <= ${sql.lit(SURELY_SHORT)}
      then p.attributes
    when pg_column_size(p.attributes) > ${sql.lit(SURELY_LONG)} then null
    when pg_column_size(p.attributes || '{}') > ${sql.lit(SURELY_LONG)} then null
    when length(p.attributes::text) <= ${sql.lit(MAX_PARSED_BESIDE_REQUESTS)} then p.attributes
  end`);

export function profileFromRow({
  id,
  externalId,
  email,
  phone,
  anonymousId,
  sourceId,
  attributes,
  ...times
}: ProfileRow): Profile {
  const [createdAt, updatedAt] = [new Date(times.created), new Date(times.updated)];
  return { id, externalId, email, phone, anonymousId, sourceId, attributes, createdAt, updatedAt };
}
