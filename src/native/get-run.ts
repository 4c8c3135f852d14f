import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Sql } from '../db/sql.ts';
import type { StoreData } from '../db/store-data.ts';
import { findRun } from '../domain/automations/reading/runs.ts';
import type { ShownRun } from '../domain/automations/reading/shown-run.ts';
import { readTimeline } from '../domain/automations/reading/timeline.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { renderRunWithTimeline } from './representations/run.ts';

export function getRun(stores: StoreData): Handler<Operations, 'getRun'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const sql = stores.of(storeId);
    const run = await existingRun(sql, storeId, path.id);
    return { status: 200, body: renderRunWithTimeline(run, await readTimeline(sql, storeId, run.id)) };
  };
}

/** Returns a run of the store. Throws `not_found` if there is none. */
export async function existingRun(sql: Sql, storeId: string, id: string): Promise<ShownRun> {
  const run = await findRun(sql, storeId, id);
  if (!run) throw noSuchRun();
  return run;
}

export function noSuchRun(): ServiceError {
  return new ServiceError('not_found', 'There is no such run');
}
