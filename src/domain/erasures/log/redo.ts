import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import type { SweepTools } from '../../sweeps/step.ts';
import { sweepDue } from '../../sweeps/sweep.ts';
import { beginErasure } from '../begin.ts';
import type { Erasure, KnownIdentifier } from '../erasure.ts';
import { findErasure } from '../find-erasures.ts';
import { digestOf, type Hashed, LATER_UNTIL } from '../suppression.ts';
import { ERASED } from '../sweep.ts';
import type { LoggedErasure } from './log.ts';
import type { StoreLog } from './read-log.ts';

/** Customers, or identifiers, that are read at once. */
const PAGE = 5_000;

/** What doing erasures again has found. */
export interface Redone {
  /** Customers who were there again, and are erased. */
  customers: number;
  /** Erasures that the store did not know of. */
  erasures: number;
}

/**
 * Erases again, in a store that was restored from a backup, whoever was erased after it, and lets nobody come back who may not. Erasures
 * that the store knows of are in the backup already; the others it knows of afterwards, so that a repetition erases nobody who has
 * come back since.
 */
export async function redoErasures(db: Sql, storeId: string, log: StoreLog, tools: SweepTools): Promise<Redone> {
  // Before an erasure draws another one, by which nobody would know again what the list has.
  await keepKey(db, storeId, log);
  const missing = await missingOf(db, storeId, log.erasures);
  const found = await findErased(db, storeId, log, missing);
  for (const [profileId, { events }] of found) {
    // Whom it does not let come back is written as it was.
    const request = { who: { profileId }, events, suppressDays: 0, askedBy: null };
    await finish(db, storeId, await beginErasure(db, storeId, request, tools), tools);
  }
  await suppress(db, storeId, log);
  await recordAll(db, storeId, missing);
  return { customers: found.size, erasures: missing.length };
}

async function finish(db: Sql, storeId: string, begun: Erasure, tools: SweepTools): Promise<void> {
  for (let erasure = begun; erasure.status !== 'complete'; ) {
    if (!(await sweepDue(db, storeId, ERASED, tools))) await sleep(100);
    erasure = (await findErasure(db, storeId, erasure.id)) as Erasure;
  }
}

async function missingOf(db: Sql, storeId: string, erasures: readonly LoggedErasure[]): Promise<LoggedErasure[]> {
  const { rows } = await sql<{ id: string }>`
    select id from erasure
    where store_id = ${storeId} and id::text = any(${texts(erasures.map(({ id }) => id))}::text[])`.execute(db);
  const known = new Set(rows.map(({ id }) => id));
  return erasures.filter(({ id }) => !known.has(id));
}

/**
 * Finds customers by their ids: an address of somebody who was erased may be another customer's in the backup. By identifiers only for
 * erasures of which a list of a version before knows nothing else. All are hashed with the key of the list: the store may have had none.
 */
async function findErased(
  db: Sql,
  storeId: string,
  { innerPad: inner, outerPad: outer }: StoreLog,
  missing: readonly LoggedErasure[],
): Promise<Map<string, LoggedErasure>> {
  const found = new Map<string, LoggedErasure>();
  const search = (digests: (one: LoggedErasure) => readonly string[]) => {
    const byDigest = new Map(missing.flatMap((one) => digests(one).map((digest) => [digest, one] as const)));
    const look = (one: Hashed, profileId: string) => {
      const erasure = byDigest.get(digestOf({ inner, outer }, one).toString('hex'));
      if (erasure) found.set(profileId, erasure);
    };
    return { isEmpty: byDigest.size === 0, look };
  };
  const byId = search((one) => one.profile_digests ?? []);
  if (!byId.isEmpty) await eachProfile(db, storeId, (id) => byId.look({ kind: 'profile', value: id }, id));
  const byIdentifier = search((one) => (one.profile_digests ? [] : one.digests));
  if (!byIdentifier.isEmpty) await eachIdentifier(db, storeId, (one) => byIdentifier.look(one, one.profileId));
  return found;
}

async function eachProfile(db: Sql, storeId: string, look: (id: string) => void): Promise<void> {
  for (let after = LOWEST_ID; ; ) {
    const { rows } = await sql<{ id: string }>`
      select id from profile where store_id = ${storeId} and id > ${after} order by store_id, id limit ${PAGE}`.execute(
      db,
    );
    for (const { id } of rows) look(id);
    if (rows.length < PAGE) return;
    after = (rows.at(-1) as { id: string }).id;
  }
}

async function eachIdentifier(
  db: Sql,
  storeId: string,
  look: (one: KnownIdentifier & { profileId: string }) => void,
): Promise<void> {
  let after: Pick<KnownIdentifier, 'kind' | 'value'> | undefined;
  for (;;) {
    const from = after ? sql`and (kind, value) > (${after.kind}, ${after.value})` : sql``;
    const { rows } = await sql<KnownIdentifier & { profileId: string }>`
      select kind, value, profile_id as "profileId" from profile_identifier
      where store_id = ${storeId} ${from}
      order by store_id, kind, value limit ${PAGE}`.execute(db);
    for (const row of rows) look(row);
    if (rows.length < PAGE) return;
    after = rows.at(-1);
  }
}

/** Writes the proofs as they were: what was found again has one of its own. */
async function recordAll(db: Sql, storeId: string, erasures: readonly LoggedErasure[]): Promise<void> {
  await sql`
    insert into erasure (store_id, id, asked_by, created_at, completed_at, suppress_days, passes, was_known, events, digests,
      profile_digests, counts, residues)
    select ${storeId}::uuid, e.id, e.asked_by, e.created_at, coalesce(e.completed_at, now()), e.suppress_days, e.passes,
      e.was_known, e.events, array(select decode(digest, 'hex') from json_array_elements_text(e.digests) as d (digest)),
      case when json_typeof(e.profile_digests) = 'array'
        then array(select decode(digest, 'hex') from json_array_elements_text(e.profile_digests) as d (digest)) end,
      e.counts, e.residues
    from json_to_recordset(${JSON.stringify(erasures)}::json) as e (
      id uuid, asked_by uuid, created_at timestamptz, completed_at timestamptz, suppress_days int, passes int,
      was_known boolean, events text, digests json, profile_digests json, counts json, residues json)
    on conflict do nothing`.execute(db);
}

/** Writes the key of the list, unless the store has one. */
async function keepKey(db: Sql, storeId: string, { innerPad, outerPad }: StoreLog): Promise<void> {
  await sql`
    insert into suppression_key (store_id, inner_pad, outer_pad) values (${storeId}, ${innerPad}, ${outerPad})
    on conflict do nothing`.execute(db);
}

/** Writes the digests of whoever may not come back, for no shorter than is known. Does nothing where the store has drawn another key meanwhile. */
async function suppress(db: Sql, storeId: string, { innerPad, suppressed }: StoreLog): Promise<void> {
  const all = JSON.stringify([...suppressed].map(([digest, until]) => ({ digest, until })));
  await sql`
    insert into suppressed_identifier (store_id, digest, until)
    select ${storeId}::uuid, decode(s.digest, 'hex'), s.until
    from json_to_recordset(${all}::json) as s (digest text, until timestamptz)
    where exists (
      select from suppression_key where store_id = ${storeId} and inner_pad = ${innerPad}
    )
    on conflict (store_id, digest) do update set until = ${LATER_UNTIL}`.execute(db);
}
