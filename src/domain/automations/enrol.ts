import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import type { JsonObject } from '../conditions/subject.ts';
import type { Identifiers } from '../identifiers.ts';
import { always, type Once } from '../kept-answers.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { findProfileOf } from '../write/look-up.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { expectScopesToEnrol } from './access/scopes.ts';
import type { Automation } from './core/machine/automation.ts';
import type { SkipDetail, SkipReason } from './core/machine/skip.ts';
import { type Entrant, Entrants, loadEntrants, settle } from './engine/entrant.ts';
import { writeEntrants } from './engine/write-entrants.ts';
import { loadAutomations } from './stored/automations.ts';
import type { StoredRun } from './stored/runs.ts';
import type { VersionCache } from './stored/version-cache.ts';

export interface Enrolling {
  automationId: string;
  /** Of a customer who is known already. */
  identifiers: Identifiers;
  properties: JsonObject;
}

/** The run that was started, or why none was. */
export type Enrolled = { run: StoredRun } | { skipped: { reason: SkipReason; detail: SkipDetail } };

/**
 * Starts a run of a customer in an automation that is live and has a manual trigger. Throws `validation_error` for any
 * other, and a customer whom the store does not know; `forbidden` if the caller may not do what the steps do.
 */
export async function enrol(
  db: Sql,
  caller: Caller,
  { automationId, identifiers, properties }: Enrolling,
  versions: VersionCache,
  once: Once<Enrolled> = always,
): Promise<Enrolled> {
  const { storeId } = caller;
  const attempt = async (tx: Sql): Promise<Enrolled> => {
    const profileId = await findProfileOf(tx, storeId, identifiers);
    const automation = await liveAutomation(tx, caller, automationId, versions);
    if (profileId === undefined) throw invalid({ path: ['profile'], problem: 'is not that of a known customer' });
    const now = Date.now();
    const entrants = new Entrants();
    const entrant = entrants.of(automationId, profileId);
    entrant.inputs.push({
      input: { type: 'enrol', key: newId(), properties, at: now, runId: newId() },
      automation,
    });
    await loadEntrants(tx, storeId, entrants, versions);
    await settle(tx, storeId, [entrant], now);
    if (entrant.fault) throw entrant.fault;
    const skip = entrant.reactions.flatMap(({ effects }) => effects).find((effect) => effect.type === 'skip');
    await writeEntrants(tx, storeId, [entrant], now);
    return skip ? { skipped: { reason: skip.reason, detail: skip.detail } } : { run: newRunOf(entrant) };
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => attempt(tx))));
}

/** Throws unless it is live, has a manual trigger, and the caller may do what its steps do. */
async function liveAutomation(tx: Sql, caller: Caller, id: string, versions: VersionCache): Promise<Automation> {
  const [found] = await loadAutomations(tx, caller.storeId, versions, [id]);
  const automation = found?.now;
  const version = automation?.version ? automation.versions.get(automation.version) : undefined;
  if (automation?.status !== 'live' || version?.definition.trigger.type !== 'manual') {
    throw new ServiceError('validation_error', 'The automation must be live and have a manual trigger');
  }
  expectScopesToEnrol(caller, version.definition);
  return automation;
}

function newRunOf({ automationId, before, state }: Entrant): StoredRun {
  const known = new Set(before.runs.map(({ id }) => id));
  const run = state.runs.find(({ id }) => !known.has(id));
  if (!run) throw new TypeError('An enrolment has neither started a run nor been skipped');
  return { automationId, run };
}
