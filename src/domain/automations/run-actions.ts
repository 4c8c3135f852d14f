import { sql } from 'kysely';
import { isDatabaseError } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { expectScopesToEnrol } from './access/scopes.ts';
import type { Definition } from './core/definition/definition.ts';
import type { RunInput } from './core/machine/input.ts';
import { Entrants, loadEnrolments, settle } from './engine/entrant.ts';
import { writeEntrants } from './engine/write-entrants.ts';
import { loadAutomations } from './stored/automations.ts';
import { lockRuns } from './stored/runs.ts';
import type { VersionCache } from './stored/version-cache.ts';
import { findVersion } from './versions.ts';

/**
 * Ends a run that has not ended; another is left as it is. `by` is the id of the key. Returns whether the store has such a
 * run.
 */
export function exitRun(db: Sql, storeId: string, runId: string, by: string, versions: VersionCache): Promise<boolean> {
  return retryConflicts(db, () =>
    db.transaction().execute((tx) => applyToRun(tx, storeId, { type: 'exit', runId, by }, versions)),
  );
}

/**
 * Lets a run that has failed go on from the step that failed; another is left as it is. Throws `forbidden` if the caller
 * may not do what its steps do.
 */
export async function retryRun(db: Sql, caller: Caller, runId: string, versions: VersionCache): Promise<boolean> {
  const { storeId } = caller;
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const [found] = await lockRuns(tx, storeId, [runId]);
      const version = found && (await findVersion(tx, storeId, found.automationId, found.run.version));
      if (version) expectScopesToEnrol(caller, version.definition.parse<Definition>());
      return await applyToRun(tx, storeId, { type: 'retry', runId }, versions);
    }),
  );
}

/**
 * Ends runs of a customer who is erased, some at a time and within a transaction, which locks them in the order of their ids.
 * Returns how many there were.
 */
export async function endRunsOfErased(
  tx: Sql,
  storeId: string,
  profileId: string,
  limit: number,
  versions: VersionCache,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from automation_run
    where store_id = ${storeId} and profile_id = ${profileId} and status <> 'ended'
    order by id
    limit ${limit}`.execute(tx);
  for (const { id } of rows) await applyToRun(tx, storeId, { type: 'erasure', runId: id }, versions);
  return rows.length;
}

/**
 * Ends a run, locked by the caller's transaction, of a customer who is merged with another: one of the two has an older one in
 * its place.
 */
export async function endRunOfMerged(tx: Sql, storeId: string, runId: string, versions: VersionCache): Promise<void> {
  await applyToRun(tx, storeId, { type: 'merge', runId }, versions);
}

/** Returns whether the store has such a run. */
async function applyToRun(tx: Sql, storeId: string, input: RunInput, versions: VersionCache): Promise<boolean> {
  const [found] = await lockRuns(tx, storeId, [input.runId]);
  if (!found) return false;
  const { automationId, run } = found;
  const [published] = await loadAutomations(tx, storeId, versions, [automationId]);
  // One that is archived and has no active run is not loaded: it does not matter to any of these inputs.
  const automation = published?.now ?? { id: automationId, status: 'archived', version: null, versions: new Map() };
  const now = Date.now();
  const entrant = new Entrants().of(automationId, run.profileId);
  entrant.state = { ...entrant.state, runs: [run] };
  entrant.inputs.push({ input, automation });
  await loadEnrolments(tx, storeId, [entrant]);
  await settle(tx, storeId, [entrant], now);
  if (entrant.fault) throw entrant.fault;
  await writeEntrants(tx, storeId, [entrant], now);
  return true;
}

/** What has become of something that a run has sent and waits for. */
type SentResult = Extract<RunInput, { type: 'delivery' | 'message' }>;
export type DeliveryResult = Omit<Extract<SentResult, { type: 'delivery' }>, 'type'>;
export type MessageResult = Omit<Extract<SentResult, { type: 'message' }>, 'type'>;

/** Lets runs go on that wait for deliveries, within a transaction; always in the same order, as it locks them. */
export async function applyDeliveries(
  tx: Sql,
  storeId: string,
  deliveries: readonly DeliveryResult[],
  versions: VersionCache,
): Promise<void> {
  await applyResults(
    tx,
    storeId,
    deliveries.map((delivery) => ({ type: 'delivery', ...delivery })),
    versions,
  );
}

/** The same for messages that the service sends itself. */
export async function applyMessages(
  tx: Sql,
  storeId: string,
  messages: readonly MessageResult[],
  versions: VersionCache,
): Promise<void> {
  await applyResults(
    tx,
    storeId,
    messages.map((message) => ({ type: 'message', ...message })),
    versions,
  );
}

async function applyResults(
  tx: Sql,
  storeId: string,
  results: readonly SentResult[],
  versions: VersionCache,
): Promise<void> {
  const inOrder = results.toSorted((a, b) => (a.runId < b.runId ? -1 : 1));
  for (const result of inOrder) await applyResult(tx, storeId, result, versions);
}

/** A fault of ours fails the step of the run: else nothing would be recorded, and all would be sent again for ever. */
async function applyResult(tx: Sql, storeId: string, result: SentResult, versions: VersionCache): Promise<void> {
  try {
    await applyToRun(tx, storeId, result, versions);
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    const { runId, seq } = result;
    await applyToRun(tx, storeId, { type: 'failure', runId, seq, code: 'internal_error' }, versions);
  }
}
