import { type RawBuilder, sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID, newId } from '../../ids/uuid-v7.ts';
import { endRunsOfErased } from '../automations/run-actions.ts';
import type { Identifiers } from '../identifiers.ts';
import { always, type Once } from '../kept-answers.ts';
import { lockLifecycle } from '../sweeps/lock.ts';
import { removeProfile } from '../sweeps/remove-profile.ts';
import type { Counts, SweepTools } from '../sweeps/step.ts';
import { lookedUpIdentifiers } from '../write/identity-resolution.ts';
import { findProfileIds, findProfileOf } from '../write/look-up.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { Erasure, EventsOfErased, KnownIdentifier, Subject } from './erasure.ts';
import { findErasure } from './find-erasures.ts';
import { forgetAddresses } from './steps/addresses.ts';
import { openDigests, suppressIdentifiers } from './suppression.ts';

/** Whom to erase: by the id of the profile, or by identifiers. */
export type Erased = { profileId: string } | { identifiers: Identifiers };

export interface ErasureRequest {
  who: Erased;
  events: EventsOfErased;
  /** For how many days nobody is created with the identifiers; null for ever, 0 not at all. */
  suppressDays: number | null;
  /** The id of the API key; null for the command. */
  askedBy: string | null;
}

/** Runs that one transaction ends: each takes some statements. */
const RUNS = 50;

/**
 * Begins to erase a customer: the profile and its identifiers are gone, runs of automations have ended, and the identifiers
 * are suppressed, all in one transaction; the rest follows in the background. Somebody whom the store does not know is
 * suppressed all the same, and forgotten among the addresses to which nothing is sent.
 */
export async function beginErasure(
  db: Sql,
  storeId: string,
  request: ErasureRequest,
  tools: SweepTools,
  once: Once<Erasure> = always,
): Promise<Erasure> {
  await endMostRuns(db, storeId, request.who, tools);
  return await retryConflicts(db, () =>
    db.transaction().execute((tx) =>
      once(tx, async () => {
        await lockLifecycle(tx, storeId);
        const profileId = await find(tx, storeId, request.who);
        const given = givenTo(request.who);
        if (profileId === undefined) {
          // Nothing is sent to many whom the store does not know.
          const counts = countsOf({ suppressed_address: await forgetAddresses(tx, storeId, given, tools) });
          return await record(tx, storeId, request, { given, known: undefined, counts });
        }
        await endRunsOfErased(tx, storeId, profileId, Number.MAX_SAFE_INTEGER, tools.versions);
        const { merges, ...known } = await removeKnown(tx, storeId, profileId);
        const counts = countsOf({
          ...{ profile: 1, profile_identifier: known.identifiers.length },
          ...{ profile_merge: merges, profile_alias: known.formerIds?.length ?? 0 },
        });
        return await record(tx, storeId, request, { given, known, counts });
      }),
    ),
  );
}

async function find(tx: Sql, storeId: string, who: Erased): Promise<string | undefined> {
  if ('profileId' in who) return (await findProfileIds(tx, storeId, [who.profileId])).get(who.profileId);
  return await findProfileOf(tx, storeId, who.identifiers);
}

/** The identifiers of a request, in all their spellings. */
function givenTo(who: Erased): KnownIdentifier[] {
  if ('profileId' in who) return [];
  return lookedUpIdentifiers(who.identifiers).map(([kind, value]) => ({ kind, value }));
}

/** A customer may be in thousands of runs: all but the last are ended before, some in each transaction. */
async function endMostRuns(db: Sql, storeId: string, who: Erased, { versions }: SweepTools): Promise<void> {
  for (let ended = RUNS; ended === RUNS; ) {
    ended = await retryConflicts(db, () =>
      db.transaction().execute(async (tx) => {
        const profileId = await find(tx, storeId, who);
        return profileId === undefined ? 0 : await endRunsOfErased(tx, storeId, profileId, RUNS, versions);
      }),
    );
  }
}

/** Deletes a profile, and returns what it was found by. */
async function removeKnown(tx: Sql, storeId: string, profileId: string): Promise<Subject & { merges: number }> {
  await removeProfile(tx, storeId, profileId);
  const { rows: identifiers } = await sql<KnownIdentifier>`
    delete from profile_identifier
    where store_id = ${storeId} and profile_id = ${profileId} and profile_id > ${sql.lit(LOWEST_ID)}
    returning kind, value`.execute(tx);
  const { rows: aliases } = await sql<{ id: string }>`
    delete from profile_alias where store_id = ${storeId} and profile_id = ${profileId} returning id`.execute(tx);
  const formerIds = aliases.map(({ id }) => id);
  const { rows: merges } = await sql`
    delete from profile_merge where store_id = ${storeId} and from_id = any(${uuids(formerIds)}::uuid[])
    returning 1`.execute(tx);
  return { profileId, formerIds, identifiers, merges: merges.length };
}

interface Found {
  given: readonly KnownIdentifier[];
  known: Subject | undefined;
  /** Of what is gone already. */
  counts: Counts;
}

const countsOf = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

async function record(
  tx: Sql,
  storeId: string,
  { events, suppressDays, askedBy }: ErasureRequest,
  { given, known, counts }: Found,
): Promise<Erasure> {
  const id = newId();
  const all = new Map([...given, ...(known?.identifiers ?? [])].map((one) => [`${one.kind} ${one.value}`, one]));
  const digestOf = await openDigests(tx, storeId);
  const digests = [...all.values()].map(digestOf);
  const profileIds = known ? [known.profileId, ...(known.formerIds ?? [])] : [];
  const profileDigests = profileIds.map((value) => digestOf({ kind: 'profile', value }));
  await suppressIdentifiers(tx, storeId, digests, suppressDays);
  await sql`
    insert into erasure (store_id, id, asked_by, created_at, completed_at, due_at, suppress_days, was_known, events, digests,
      profile_digests, counts, residues, subject)
    select ${storeId}::uuid, ${id}::uuid, ${askedBy}::uuid, now(),
      case when ${known === undefined} then now() end, case when ${known !== undefined} then now() end,
      ${suppressDays}::int, ${known !== undefined}, ${events},
      ${bytesOf(digests)}, ${bytesOf(profileDigests)},
      ${JSON.stringify(counts)}::json, '[]', ${known ? JSON.stringify(known) : null}::json`.execute(tx);
  return (await findErasure(tx, storeId, id)) as Erasure;
}

function bytesOf(digests: readonly Buffer[]): RawBuilder<Buffer[]> {
  const hex = texts(digests.map((digest) => digest.toString('hex')));
  return sql`array(select decode(digest, 'hex') from unnest(${hex}::text[]) with ordinality as d (digest, n) order by n)`;
}
