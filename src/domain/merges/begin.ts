import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import { Outdated } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID, newId } from '../../ids/uuid-v7.ts';
import type { VersionCache } from '../automations/stored/version-cache.ts';
import type { KnownIdentifier } from '../erasures/erasure.ts';
import type { IdentifierKind } from '../identifiers.ts';
import { PROFILE_COLUMNS, type Profile, type ProfileRow, profileFromRow } from '../profile.ts';
import { readAliases } from '../profile-aliases.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { lockLifecycle } from '../sweeps/lock.ts';
import { removeProfile } from '../sweeps/remove-profile.ts';
import { findProfileIds } from '../write/look-up.ts';
import { insertHistory, type Origin } from '../write/profile-history.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { fillProfile } from './attributes.ts';
import { mergeConsent } from './consent.ts';
import { findMerge, findMergeOf } from './find-merges.ts';
import { mergeLists } from './lists.ts';
import type { Merge, MergeChanges, Merging } from './merge.ts';
import { moveMessages } from './messages.ts';
import { moveRuns } from './runs.ts';
import { moveCodes } from './steps.ts';
import { enterMerged } from './sweep.ts';

/** Customers who may be merged into one. */
const MAX_ALIASES = 1_000;

export interface MergeRequest {
  /** Who stays, and who is merged into them, by ids of profiles. */
  profileId: string;
  fromId: string;
  /** The id of the API key. */
  askedBy: string | null;
  /** Who asks, where the store keeps a history of its customers. */
  origin?: Origin | undefined;
}

/** What would come of a merge. */
export interface MergePreview extends Pick<Merging, 'profileId' | 'winnerId'> {
  changes: MergeChanges;
  /** The customer as they would be. */
  profile: Profile;
}

/**
 * Merges a customer into another: in one transaction all that is asked for when something is done about them, the rest in the
 * background. Who was merged into the same one before is answered with that merge. Throws `not_found` if there is nobody to
 * merge into, and `validation_error` if there is nobody to merge, or too much.
 */
export async function mergeProfiles(
  db: Sql,
  storeId: string,
  request: MergeRequest,
  versions: VersionCache,
): Promise<Merge> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      await lockLifecycle(tx, storeId);
      const found = await findBoth(tx, storeId, request);
      if ('merged' in found) return found.merged;
      const id = newId();
      const changes = await mergeAtOnce(tx, found, versions, {
        keep: () => record(tx, found, id, request.askedBy),
        origin: request.origin,
      });
      await sql`
        update profile_merge set changes = ${JSON.stringify(changes)}::json
        where store_id = ${storeId} and id = ${id}`.execute(tx);
      return (await findMerge(tx, storeId, id)) as Merge;
    }),
  );
}

/** Finds out what would come of a merge, by doing it in a transaction that is rolled back. */
export async function previewMerge(
  db: Sql,
  storeId: string,
  request: MergeRequest,
  versions: VersionCache,
): Promise<MergePreview> {
  let preview: MergePreview | undefined;
  const undo = new Error('This was a preview');
  try {
    await retryConflicts(db, () =>
      db.transaction().execute(async (tx) => {
        await lockLifecycle(tx, storeId);
        const found = await findBoth(tx, storeId, request);
        if ('merged' in found) throw invalid({ path: ['from'], problem: 'has been merged into the profile already' });
        const changes = await mergeAtOnce(tx, found, versions);
        preview = { ...found, changes, profile: await readProfile(tx, found) };
        throw undo;
      }),
    );
  } catch (error) {
    if (error !== undo) throw error;
  }
  return preview as MergePreview;
}

async function findBoth(
  tx: Sql,
  storeId: string,
  { profileId, fromId }: MergeRequest,
): Promise<Merging | { merged: Merge }> {
  const winnerId = (await findProfileIds(tx, storeId, [profileId])).get(profileId);
  if (winnerId === undefined) throw new ServiceError('not_found', 'There is no such profile');
  if (fromId === winnerId) throw refused('is the profile itself');
  const former = (await readAliases(tx, storeId, [fromId])).get(fromId);
  if (former === winnerId) {
    const merged = await findMergeOf(tx, storeId, fromId);
    if (merged) return { merged };
  }
  if (former !== undefined) throw refused('has been merged into another profile');
  if (!(await findProfileIds(tx, storeId, [fromId])).has(fromId)) throw refused('is not the id of a profile');
  await expectRoom(tx, storeId, fromId, winnerId);
  return { storeId, profileId: fromId, winnerId };
}

function refused(problem: string): ServiceError {
  return invalid({ path: ['from'], problem });
}

async function expectRoom(tx: Sql, storeId: string, ...ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from profile_alias where store_id = ${storeId} and profile_id = any(${uuids(ids)}::uuid[]) limit ${MAX_ALIASES}
    ) a`.execute(tx);
  if ((rows[0]?.count ?? 0) >= MAX_ALIASES) throw refused(`and the other have been merged with ${MAX_ALIASES} already`);
}

/**
 * In the order in which everything else locks: runs, enrolments, profiles, consent, lists. `keep` is called while both are locked,
 * and as they were.
 */
async function mergeAtOnce(
  tx: Sql,
  merging: Merging,
  versions: VersionCache,
  { keep, origin }: { keep?: () => Promise<void>; origin?: Origin | undefined } = {},
): Promise<MergeChanges> {
  const { storeId, profileId, winnerId } = merging;
  const runs = await moveRuns(tx, merging, versions);
  const { rows: locked } = await sql`
    select from profile where store_id = ${storeId} and id = any(${uuids([profileId, winnerId])}::uuid[])
    order by id for update`.execute(tx);
  if (locked.length < 2) throw new Outdated('A profile has vanished while it was to be merged');
  await keep?.();
  const { rows: identifiers } = await sql<KnownIdentifier>`
    update profile_identifier set profile_id = ${winnerId}
    where store_id = ${storeId} and profile_id = ${profileId} and profile_id > ${sql.lit(LOWEST_ID)}
    returning kind, value`.execute(tx);
  const { filled, lost, attributes, shown } = await fillProfile(tx, merging, origin !== undefined);
  if (origin) {
    const gained = identifiers.map(({ kind, value }): [IdentifierKind, string] => [kind as IdentifierKind, value]);
    const about = { id: newId(), profileId: winnerId, changedAt: new Date(), created: false };
    await insertHistory(storeId, [{ ...about, origin, attributes, identifiers: { gained, lost: [], shown } }]).execute(
      tx,
    );
  }
  const { consent, optedOut } = await mergeConsent(tx, merging);
  const { joined, left } = await mergeLists(tx, merging, optedOut);
  await moveWaiting(tx, merging);
  await removeProfile(tx, storeId, profileId);
  await sql`
    update profile_alias set profile_id = ${winnerId} where store_id = ${storeId} and profile_id = ${profileId}`.execute(
    tx,
  );
  await sql`
    insert into profile_alias (store_id, id, profile_id) values (${storeId}, ${profileId}, ${winnerId})`.execute(tx);
  await enterMerged(tx, storeId, winnerId);
  return { identifiers, filled, lost, consent, joined, left, movedRuns: runs.moved, endedRuns: runs.ended };
}

/** What something is done about when its time comes; a message that waits is that of a customer who is there. */
async function moveWaiting(tx: Sql, merging: Merging): Promise<void> {
  const { storeId, profileId, winnerId } = merging;
  for (const table of ['segment_due', 'segment_postponed'] as const) {
    await sql`
      delete from ${sql.table(table)} where store_id = ${storeId} and profile_id = ${profileId}`.execute(tx);
  }
  await sql`
    delete from automation_date
    where store_id = ${storeId} and profile_id = ${profileId}
      and automation_id = any(array(select id from automation where store_id = ${storeId}))`.execute(tx);
  await moveMessages(tx, merging);
  // What the link of a message that was sent confirms.
  await sql`
    update list_confirmation set profile_id = ${winnerId}
    where store_id = ${storeId} and profile_id = ${profileId}`.execute(tx);
  await moveCodes(tx, merging);
}

async function record(
  tx: Sql,
  { storeId, profileId, winnerId }: Merging,
  id: string,
  askedBy: string | null,
): Promise<void> {
  const asWas = (one: string) => sql`(
    select row_to_json(r) from (
      select ${PROFILE_COLUMNS} from profile p where store_id = ${storeId} and id = ${one}
    ) r)`;
  await sql`
    insert into profile_merge (store_id, id, profile_id, from_id, asked_by, created_at, due_at, changes, before, counts)
    select ${storeId}::uuid, ${id}::uuid, ${winnerId}::uuid, ${profileId}::uuid, ${askedBy}::uuid, now(), now(), '{}',
      json_build_object('profile', ${asWas(winnerId)}, 'from', ${asWas(profileId)}), '{}'`.execute(tx);
}

async function readProfile(tx: Sql, { storeId, winnerId }: Merging): Promise<Profile> {
  const { rows } = await sql<ProfileRow>`
    select ${PROFILE_COLUMNS} from profile p where store_id = ${storeId} and id = ${winnerId}`.execute(tx);
  return profileFromRow(rows[0] as ProfileRow);
}
