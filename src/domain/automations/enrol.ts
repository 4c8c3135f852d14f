import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { invalid } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { JsonObject } from './core/conditions/subject.ts';
import type { SkipDetail, SkipReason } from './core/machine/skip.ts';
import { settleLanes } from './engine/lane.ts';
import { Lanes, loadLanes } from './engine/load-lanes.ts';
import { writeLanes } from './engine/write-lanes.ts';
import { loadAutomations } from './stored/automations.ts';
import { RUN_COLUMNS, type RunRow, runFromRow, type StoredRun } from './stored/runs.ts';
import type { VersionCache } from './stored/version-cache.ts';

export interface Enrolling {
  automationId: string;
  profileId: string;
  /** Requests with the same key start one run. */
  idempotencyKey: string;
  properties: JsonObject;
}

/** The run that was started, now or by an earlier request with the same key; or why none was. */
export type Enrolled = { run: StoredRun } | { skipped: { reason: SkipReason; detail: SkipDetail } };

/**
 * Starts a run of a customer in an automation with a manual trigger. Throws `validation_error` if it has another one, or
 * has not been published.
 */
export async function enrol(
  db: Sql,
  storeId: string,
  { automationId, profileId, idempotencyKey: key, properties }: Enrolling,
  versions: VersionCache,
): Promise<Enrolled> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx): Promise<Enrolled> => {
      const now = Date.now();
      const [found] = await loadAutomations(tx, storeId, versions, [automationId]);
      const automation = found?.now;
      const version = automation?.version ? automation.versions.get(automation.version) : undefined;
      if (!automation || version?.definition.trigger.type !== 'manual') {
        throw invalid({ path: [], problem: 'can not be sent to this automation: it has no manual trigger' });
      }
      const lanes = new Lanes();
      const lane = lanes.of(automationId, profileId);
      lane.told.push({ input: { type: 'enrol', key, properties, at: now, runId: newId() }, automation });
      await loadLanes(tx, storeId, lanes);
      // Only now: a request with the same key may have been waited for.
      const earlier = await findRunOf(tx, storeId, automationId, `manual:${key}`);
      if (earlier) return { run: earlier };
      await settleLanes(tx, storeId, [lane], now);
      if (lane.fault) throw lane.fault;
      const effects = lane.reactions.flatMap((reaction) => reaction.effects);
      const skip = effects.find((effect) => effect.type === 'skip');
      // A request with the same key may have started it while this one waited for the customer's enrolment.
      const meanwhile = skip && (await findRunOf(tx, storeId, automationId, `manual:${key}`));
      if (meanwhile) return { run: meanwhile };
      await writeLanes(tx, storeId, [lane], now);
      if (skip) return { skipped: { reason: skip.reason, detail: skip.detail } };
      const known = new Set(lane.before.runs.map(({ id }) => id));
      const run = lane.state.runs.find(({ id }) => !known.has(id));
      if (!run) throw new TypeError('An enrolment has neither started a run nor been skipped');
      return { run: { automationId, run } };
    }),
  );
}

async function findRunOf(tx: Sql, storeId: string, automationId: string, triggerId: string) {
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS} from automation_run r
    where r.store_id = ${storeId} and r.automation_id = ${automationId} and r.trigger_id = ${triggerId}`.execute(tx);
  return rows[0] && runFromRow(rows[0]);
}
