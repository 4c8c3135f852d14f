import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import { parsed } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { JsonObject, Profile } from '../../conditions/subject.ts';
import { type Profile as Customer, PROFILE_COLUMNS, type ProfileRow, profileFromRow } from '../../profile.ts';

/** Returns profiles as automations see them, by id. */
export async function readProfiles(db: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, Profile>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ProfileRow>`
    select ${PROFILE_COLUMNS}
    from profile p where p.store_id = ${storeId} and p.id = any(${uuids(ids)}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, toProfile(profileFromRow(row))]));
}

function toProfile({ id, attributes, ...profile }: Customer): Profile {
  const identifiers = Object.entries({
    email: profile.email,
    phone: profile.phone,
    external_id: profile.externalId,
    anonymous_id: profile.anonymousId,
    source_id: profile.sourceId,
  }).filter(([, value]) => value !== null);
  return { id, identifiers: Object.fromEntries(identifiers), attributes: parsed<JsonObject>(attributes) };
}
