import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { singleFlight } from '../concurrency/single-flight.ts';
import type { Database } from '../db/orm.ts';
import { processMetrics } from './process-metrics.ts';
import { reportOf } from './report.ts';
import { databaseMetrics } from './shared-metrics.ts';
import { reportToLeader } from './worker-metrics.ts';

/** Returns the metrics of all processes that serve on this port, in the Prometheus text format. */
export type Exposition = () => Promise<string>;

/** Milliseconds for which database metrics are reused, so that polling the endpoint does not poll the database. */
const SHARED_MS = 1_000;

/** `own` holds the metrics of this process. Concurrent requests share one result. */
export function createExposition(own: Registry, database: Database): Exposition {
  const report = () => reportOf(own, processMetrics());
  const gather = cluster.isWorker ? reportToLeader(report) : async () => [await report()];

  const readShared = singleFlight(SHARED_MS, () => databaseMetrics(database));

  const write = async () => {
    const [reports, shared] = await Promise.all([gather(), readShared()]);
    const texts = [AggregatorRegistry.aggregate(reports), shared].map((registry) => registry.metrics());
    return (await Promise.all(texts)).join('');
  };

  let inFlight: Promise<string> | undefined;
  return () => {
    inFlight ??= write().finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  };
}
