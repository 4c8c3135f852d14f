import { type RawBuilder, sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { memberRows, membersAfter } from '../audiences/members-after.ts';
import type { Caller } from '../caller.ts';
import { expectScopes } from '../expect-scopes.ts';
import { invalid, type Violation } from '../service-error.ts';
import type { AudiencePart, CampaignAudience } from './campaign.ts';
import { type Begun, isRecipientOf, messagesAfter, readBegun } from './recipients-of.ts';

/** Throws `forbidden` unless the caller may know who is in what an audience names: counts of the campaign tell it. */
export function expectScopesOfAudience(caller: Caller, audience: CampaignAudience | null): void {
  const named = audience ? [...audience.any, ...audience.not] : [];
  if (named.length === 0) return;
  const names = (wanted: AudiencePart['kind']) => named.some(({ kind }) => kind === wanted);
  expectScopes(
    caller,
    [
      ...(names('list') || names('segment') ? (['audiences:read'] as const) : []),
      ...(names('segment') || names('campaign') ? (['profiles:read'] as const) : []),
      ...(names('campaign') ? (['messages:read'] as const) : []),
    ],
    'its audience needs',
  );
}

/** The ids of lists, segments or campaigns that an audience names. */
export function idsNamed(audience: CampaignAudience | null, kind: AudiencePart['kind']): string[] {
  const named = audience ? [...audience.any, ...audience.not] : [];
  return [...new Set(named.filter((one) => one.kind === kind).map(({ id }) => id))];
}

interface Found {
  id: string;
  /** What keeps a segment or a campaign from being asked; null for what can be, as a list. */
  problem: string | null;
}

/**
 * Throws `validation_error` for the first list, segment or campaign that the store does not have; with `isAsked` also for a
 * segment whose members nobody knows now, and a campaign that has not begun. They stay until the transaction ends.
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
  const found = {
    list: await lockLists(tx, storeId, idsNamed(audience, 'list')),
    segment: await lockSegments(tx, storeId, idsNamed(audience, 'segment')),
    campaign: await lockCampaigns(tx, storeId, audience),
  };
  for (const [part, named] of [
    ['any', audience.any],
    ['not', audience.not],
  ] as const) {
    for (const [i, { kind, id }] of named.entries()) {
      const path: Violation['path'] = ['audience', part, i, kind];
      const one = found[kind].get(id);
      if (!one) throw invalid({ path, problem: `is not the id of a ${kind} of the store` });
      if (isAsked && one.problem !== null) throw invalid({ path, problem: one.problem });
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

async function lockCampaigns(tx: Sql, storeId: string, audience: CampaignAudience): Promise<Map<string, Found>> {
  const begun = await readBegun(tx, storeId, audience, sql`for key share`);
  return new Map(
    [...begun].map(([id, { startedAt }]) => {
      return [id, { id, problem: startedAt === null ? 'is that of a campaign that has not begun' : null }];
    }),
  );
}

/**
 * Customers of an audience are looked for in its lists and segments first, then in one campaign that it names after the other:
 * a step is the number of these. Undefined after the last. The others are a query of `place`, by which the next ones are found,
 * `profile_id`, and `is_member`.
 */
export function nextOfAudience(
  storeId: string,
  { any }: CampaignAudience,
  begun: Begun,
  { step, after }: { step: number; after: string },
  limit: number,
): RawBuilder<unknown> | 'nobody' | undefined {
  if (step === 0) {
    const others = any.filter((part) => part.kind !== 'campaign');
    if (others.length === 0) return 'nobody';
    const members = membersAfter(storeId, others, after, limit);
    return sql`select profile_id as place, profile_id, true as is_member from (${members}) m`;
  }
  const part = any.filter(({ kind }) => kind === 'campaign')[step - 1];
  if (part?.kind !== 'campaign') return undefined;
  const startedAt = begun.get(part.id)?.startedAt;
  return startedAt ? messagesAfter(storeId, part, startedAt, after, limit) : 'nobody';
}

/** Whether the customer of a column is in one of some lists and segments, or recipient of a campaign: each is asked by its key. */
export function isInAny(
  storeId: string,
  some: readonly AudiencePart[],
  begun: Begun,
  column: string,
): RawBuilder<unknown> {
  if (some.length === 0) return sql`false`;
  const each = some.map((one) => {
    if (one.kind !== 'campaign') {
      return sql`(select true from ${memberRows(storeId, one)} and profile_id = ${sql.ref(column)} limit 1) is not null`;
    }
    const startedAt = begun.get(one.id)?.startedAt;
    return startedAt ? isRecipientOf(storeId, one, startedAt, column) : sql`false`;
  });
  return sql`(${sql.join(each, sql` or `)})`;
}
