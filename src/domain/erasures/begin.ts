import { sql } from 'kysely';
import { Outdated } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID, newId } from '../../ids/uuid-v7.ts';
import { endRunsOfErased } from '../automations/run-actions.ts';
import type { Identifiers } from '../identifiers.ts';
import { always, type Once } from '../kept-answers.ts';
import { lookedUpIdentifiers } from '../write/identity-resolution.ts';
import { findProfileIds, findProfileOf } from '../write/look-up.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { Counts, Erasure, EventsOfErased, KnownIdentifier } from './erasure.ts';
import { findErasure } from './find-erasures.ts';
import { forgetAddresses } from './steps/addresses.ts';
import type { SweepTools } from './steps/step.ts';
import { digestAll, suppressIdentifiers } from './suppression.ts';

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
        // Customers of a store are erased and merged one after the other, in whichever order that locks what they have.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.lifecycle ${storeId}`}, 0))`.execute(tx);
        const profileId = await find(tx, storeId, request.who);
        const given = givenTo(request.who);
        if (profileId === undefined) {
          // Nothing is sent to many whom the store does not know.
          const counts = countsOf({ suppressed_address: await forgetAddresses(tx, storeId, given, tools) });
          return await record(tx, storeId, request, { given, known: undefined, counts });
        }
        await endRunsOfErased(tx, storeId, profileId, Number.MAX_SAFE_INTEGER, tools.versions);
        const identifiers = await removeProfile(tx, storeId, profileId);
        const counts = countsOf({ profile: 1, profile_identifier: identifiers.length });
        return await record(tx, storeId, request, { given, known: { profileId, identifiers }, counts });
      }),
    ),
  );
}

async function find(tx: Sql, storeId: string, who: Erased): Promise<string | undefined> {
  if ('profileId' in who) return (await findProfileIds(tx, storeId, [who.profileId]))[0];
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

/** Deletes a profile and returns what it was found by. */
async function removeProfile(tx: Sql, storeId: string, profileId: string): Promise<KnownIdentifier[]> {
  const { rows: gone } = await sql<{ updatedAt: string }>`
    delete from profile where store_id = ${storeId} and id = ${profileId}
    returning updated_at::text as "updatedAt"`.execute(tx);
  const [profile] = gone;
  if (!profile) throw new Outdated('The profile has vanished while it was to be erased');
  await sql`
    update profile_update set profile_ids = array_remove(profile_ids, ${profileId}::uuid)
    where store_id = ${storeId} and updated_at = ${profile.updatedAt}::timestamptz
      and ${profileId}::uuid = any(profile_ids)`.execute(tx);
  const { rows } = await sql<KnownIdentifier>`
    delete from profile_identifier
    where store_id = ${storeId} and profile_id = ${profileId} and profile_id > ${sql.lit(LOWEST_ID)}
    returning kind, value`.execute(tx);
  return rows;
}

interface Found {
  given: readonly KnownIdentifier[];
  known: { profileId: string; identifiers: readonly KnownIdentifier[] } | undefined;
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
  const digests = await digestAll(tx, storeId, [...all.values()]);
  await suppressIdentifiers(tx, storeId, digests, suppressDays);
  await sql`
    insert into erasure (store_id, id, asked_by, created_at, completed_at, due_at, suppress_days, was_known, events, digests,
      counts, residues, subject)
    select ${storeId}::uuid, ${id}::uuid, ${askedBy}::uuid, now(),
      case when ${known === undefined} then now() end, case when ${known !== undefined} then now() end,
      ${suppressDays}::int, ${known !== undefined}, ${events},
      array(select decode(digest, 'hex') from json_array_elements_text(
        ${JSON.stringify(digests.map((digest) => digest.toString('hex')))}::json) as d (digest)),
      ${JSON.stringify(counts)}::json, '[]', ${known ? JSON.stringify(known) : null}::json`.execute(tx);
  return (await findErasure(tx, storeId, id)) as Erasure;
}
