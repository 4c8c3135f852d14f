import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { expectScopesToEnrol } from './access/scopes.ts';
import type { Definition } from './core/definition/definition.ts';
import type { RunInput } from './core/machine/input.ts';
import { settleLanes } from './engine/lane.ts';
import { Lanes, loadEnrolments } from './engine/load-lanes.ts';
import { writeLanes } from './engine/write-lanes.ts';
import { loadAutomations } from './stored/automations.ts';
import { lockRuns } from './stored/runs.ts';
import type { VersionCache } from './stored/version-cache.ts';
import { findVersion } from './versions.ts';

/**
 * Ends a run that has not ended; another is left as it is. `by` is the id of the key. Returns whether the store has such a
 * run.
 */
export function exitRun(db: Sql, storeId: string, runId: string, by: string, versions: VersionCache): Promise<boolean> {
  return tellRun(db, storeId, { type: 'exit', runId, by }, versions);
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
      return await tellRunIn(tx, storeId, { type: 'retry', runId }, versions);
    }),
  );
}

async function tellRun(db: Sql, storeId: string, input: RunInput, versions: VersionCache): Promise<boolean> {
  return await retryConflicts(db, () => db.transaction().execute((tx) => tellRunIn(tx, storeId, input, versions)));
}

/** Tells a run something within a transaction. Returns whether the store has such a run. */
export async function tellRunIn(tx: Sql, storeId: string, input: RunInput, versions: VersionCache): Promise<boolean> {
  const [found] = await lockRuns(tx, storeId, [input.runId]);
  if (!found) return false;
  const { automationId, run } = found;
  const [published] = await loadAutomations(tx, storeId, versions, [automationId]);
  // One that is archived and has no active run is not loaded: it does not matter to any of these inputs.
  const automation = published?.now ?? { id: automationId, status: 'archived', version: null, versions: new Map() };
  const now = Date.now();
  const lane = new Lanes().of(automationId, run.profileId);
  lane.state = { ...lane.state, runs: [run] };
  lane.told.push({ input, automation });
  await loadEnrolments(tx, storeId, [lane]);
  await settleLanes(tx, storeId, [lane], now);
  if (lane.fault) throw lane.fault;
  await writeLanes(tx, storeId, [lane], now);
  return true;
}
