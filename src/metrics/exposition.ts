import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Sql } from '../db/orm.ts';
import { reportToLeader } from './members.ts';
import { processMetrics } from './process.ts';
import { reportOf } from './report.ts';
import { sharedMetrics } from './shared.ts';

/** Writes down the metrics of all processes that serve on this port, in the text format of Prometheus. */
export type Exposition = () => Promise<string>;

/** `own` is what this process counts. However many ask at the same time, the work is done once. */
export function createExposition(own: Registry, sql: Sql): Exposition {
  const report = () => reportOf(own, processMetrics());
  const gather = cluster.isWorker ? reportToLeader(report) : async () => [await report()];

  const write = async () => {
    const [reports, shared] = await Promise.all([gather(), sharedMetrics(sql)]);
    const texts = [AggregatorRegistry.aggregate(reports), shared].map((registry) => registry.metrics());
    return (await Promise.all(texts)).join('');
  };

  let underWay: Promise<string> | undefined;
  return () => {
    underWay ??= write().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
