import { Gauge, Registry } from 'prom-client';
import { settleWithin } from '../concurrency/settle-within.ts';
import type { Database } from '../db/orm.ts';
import { measureBacklog } from '../domain/imports/jobs.ts';

/** Milliseconds after which a database that does not respond counts as down. */
const PATIENCE_MS = 2_000;

/** Returns metrics that are the same in every process: the database and its bulk jobs. */
export async function databaseMetrics({ stores }: Pick<Database, 'stores'>): Promise<Registry> {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number) =>
    new Gauge({ name, help, registers: [registry] }).set(value);

  const backlog = await settleWithin(PATIENCE_MS, measureBacklog(stores));
  gauge('footfall_database_up', '1 where the database answers', backlog ? 1 : 0);
  if (backlog) {
    gauge('footfall_import_jobs_waiting', 'Bulk jobs that are not complete', backlog.jobs);
    gauge('footfall_import_items_waiting', 'Their items that are still to be recorded', backlog.items);
    gauge('footfall_import_lag_seconds', 'Age of the oldest bulk job that is not complete', backlog.oldestSeconds);
  }
  return registry;
}
