import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import { parsed } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Audience, AudienceKind } from '../../conditions/audience.ts';
import type { Channel } from '../../conditions/condition.ts';
import type { Consent, Consents } from '../../conditions/standing.ts';
import type { JsonObject, Profile } from '../../conditions/subject.ts';
import { type Profile as Customer, PROFILE_COLUMNS, type ProfileRow, profileFromRow } from '../../profile.ts';

/** Since when somebody is in a list or a segment. */
export interface MembershipQuestion {
  profileId: string;
  audience: Audience;
}

/** Look-ups of one statement. */
const MAX_AT_ONCE = 5_000;

/** Answers each question with the time since when, in milliseconds, or null; of a segment, by the members that it has at this moment. */
export async function readMemberships(
  db: Sql,
  storeId: string,
  questions: readonly MembershipQuestion[],
): Promise<(number | null)[]> {
  const answers: (number | null)[] = questions.map(() => null);
  for (const kind of ['list', 'segment'] as const) {
    const ofKind = [...questions.keys()].filter((i) => questions[i]?.audience.kind === kind);
    for (let i = 0; i < ofKind.length; i += MAX_AT_ONCE) {
      const numbers = ofKind.slice(i, i + MAX_AT_ONCE);
      const asked = numbers.map((number) => questions[number] as MembershipQuestion);
      for (const { n, since } of await READERS[kind](db, storeId, asked)) answers[numbers[n - 1] as number] = since;
    }
  }
  return answers;
}

interface Found {
  n: number;
  since: number;
}

/** Each returns the numbers, from 1, of the questions whose answer is yes. */
type Reader = (db: Sql, storeId: string, asked: readonly MembershipQuestion[]) => Promise<Found[]>;

/** `limit 1` forces an index look-up for each, whatever the planner knows of the table. */
const READERS: Record<AudienceKind, Reader> = {
  list: async (db, storeId, asked) => {
    const { rows } = await sql<Found>`
      select w.n::int as n, (extract(epoch from m.since) * 1000)::float8 as since
      from ${wanted(asked)}
      cross join lateral (
        select joined_at as since from list_member
        where store_id = ${storeId} and list_id = w.audience_id and profile_id = w.profile_id limit 1
      ) m`.execute(db);
    return rows;
  },
  segment: async (db, storeId, asked) => {
    const { rows } = await sql<Found>`
      select w.n::int as n, (extract(epoch from m.since) * 1000)::float8 as since
      from ${wanted(asked)}
      cross join lateral (
        select generation from segment where store_id = ${storeId} and id = w.audience_id limit 1
      ) s
      cross join lateral (
        select entered_at as since from segment_member
        where store_id = ${storeId} and segment_id = w.audience_id and generation = s.generation
          and profile_id = w.profile_id limit 1
      ) m`.execute(db);
    return rows;
  },
};

function wanted(asked: readonly MembershipQuestion[]) {
  return sql`unnest(
    ${uuids(asked.map(({ profileId }) => profileId))}::uuid[],
    ${uuids(asked.map(({ audience }) => audience.id))}::uuid[]) with ordinality as w (profile_id, audience_id, n)`;
}

/** Returns what customers have chosen, by their ids; whoever never chose anything is absent. */
export async function readConsents(
  db: Sql,
  storeId: string,
  profileIds: readonly string[],
): Promise<Map<string, Consents>> {
  const found = new Map<string, Consents>();
  if (profileIds.length === 0) return found;
  const { rows } = await sql<Consent & { profileId: string; channel: Channel }>`
    select w.id as "profileId", c.channel, c.status, c.suppressed_at is not null as suppressed
    from unnest(${uuids(profileIds)}::uuid[]) as w (id)
    cross join lateral (
      select channel, status, suppressed_at from consent where store_id = ${storeId} and profile_id = w.id limit 2
    ) c`.execute(db);
  for (const { profileId, channel, status, suppressed } of rows) {
    found.set(profileId, { ...found.get(profileId), [channel]: { status, suppressed } });
  }
  return found;
}

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
