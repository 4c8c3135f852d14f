import { type RawBuilder, sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import type { Audience } from '../conditions/audience.ts';
import { expectScopes } from '../expect-scopes.ts';
import { invalid, type Violation } from '../service-error.ts';
import type { CampaignAudience } from './campaign.ts';

/** Throws `forbidden` unless the caller may know who is in what an audience names: counts of the campaign tell it. */
export function expectScopesOfAudience(caller: Caller, audience: CampaignAudience | null): void {
  const named = audience ? [...audience.any, ...audience.not] : [];
  if (named.length === 0) return;
  const hasSegments = named.some(({ kind }) => kind === 'segment');
  expectScopes(caller, hasSegments ? ['audiences:read', 'profiles:read'] : ['audiences:read'], 'its audience needs');
}

/** The ids of lists or of segments that an audience names. */
export function idsNamed(audience: CampaignAudience | null, kind: Audience['kind']): string[] {
  const named = audience ? [...audience.any, ...audience.not] : [];
  return [...new Set(named.filter((one) => one.kind === kind).map(({ id }) => id))];
}

interface Found {
  id: string;
  /** What keeps a segment from being asked; null for one that is kept up to date, and for a list. */
  problem: string | null;
}

/**
 * Throws `validation_error` for the first list or segment that the store does not have; with `isAsked` also for a segment
 * whose members nobody knows now. They stay until the transaction ends.
 */
export async function expectAudience(
  tx: Sql,
  storeId: string,
  audience: CampaignAudience | null,
  { isAsked }: { isAsked: boolean },
): Promise<void> {
  if (!audience) {
    if (isAsked) throw invalid({ path: ['audience'], problem: 'must be chosen before' });
    return;
  }
  const lists = await lockLists(tx, storeId, idsNamed(audience, 'list'));
  const segments = await lockSegments(tx, storeId, idsNamed(audience, 'segment'));
  for (const [part, named] of [
    ['any', audience.any],
    ['not', audience.not],
  ] as const) {
    for (const [i, { kind, id }] of named.entries()) {
      const path: Violation['path'] = ['audience', part, i, kind];
      const found = (kind === 'list' ? lists : segments).get(id);
      if (!found) throw invalid({ path, problem: `is not the id of a ${kind} of the store` });
      if (isAsked && found.problem !== null) throw invalid({ path, problem: found.problem });
    }
  }
}

/** Whether an audience names a segment that is built, and can be asked once that is done. */
export async function isBeingBuilt(tx: Sql, storeId: string, audience: CampaignAudience | null): Promise<boolean> {
  const { rows } = await sql`
    select from segment
    where store_id = ${storeId} and id = any(${uuids(idsNamed(audience, 'segment'))}::uuid[])
      and failure is null and (generation = 0 or stale_since is not null)
    limit 1`.execute(tx);
  return rows.length > 0;
}

async function lockLists(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, Found>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string }>`
    select id from list where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])
    order by id for key share`.execute(tx);
  return new Map(rows.map(({ id }) => [id, { id, problem: null }]));
}

async function lockSegments(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, Found>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Found>`
    select id, case
        when failure is not null then 'is that of a segment that has failed'
        when generation = 0 then 'is that of a segment that is still built'
        when stale_since is not null then 'is that of a segment that is built anew, as its members were not followed'
      end as problem
    from segment where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])
    order by id for key share`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Members of any of some lists and segments after a customer, `limit` at most, by their ids: a query of `profile_id`. */
export function membersAfter(
  storeId: string,
  any: readonly Audience[],
  after: string,
  limit: number,
): RawBuilder<unknown> {
  const each = any.map(
    (one) => sql`(
      select profile_id from ${rowsOf(storeId, one)} and profile_id > ${after}::uuid
      order by profile_id limit ${limit}
    )`,
  );
  return sql`select profile_id from (${sql.join(each, sql` union `)}) every order by profile_id limit ${limit}`;
}

/** Whether the customer of a column is in one of some lists and segments: each is asked by its key. */
export function isInAny(storeId: string, some: readonly Audience[], column: string): RawBuilder<unknown> {
  if (some.length === 0) return sql`false`;
  const each = some.map(
    (one) => sql`(select true from ${rowsOf(storeId, one)} and profile_id = ${sql.ref(column)} limit 1) is not null`,
  );
  return sql`(${sql.join(each, sql` or `)})`;
}

function rowsOf(storeId: string, { kind, id }: Audience): RawBuilder<unknown> {
  if (kind === 'list') return sql`list_member where store_id = ${storeId} and list_id = ${id}`;
  return sql`segment_member where store_id = ${storeId} and segment_id = ${id}
    and generation = (select generation from segment where store_id = ${storeId} and id = ${id} limit 1)`;
}
