import { type Aggregator, Gauge, type Registry } from 'prom-client';
import type { Pool } from '../db/query-timeout.ts';

/** Sources that are read only when metrics are requested. */
export interface GaugeSources {
  /** `lag` in milliseconds. */
  groupCommit: { readonly waiting: number; readonly lag: number };
  pools: () => readonly Pool[];
  replica: { readonly isUp: boolean; readonly lagSeconds: number } | undefined;
  /** `available` is the share of all windows, from 0 to 1. */
  redis: { readonly available: number } | undefined;
  /** On the disk of the embedded database. */
  diskSpace: { readonly freeBytes: number | undefined } | undefined;
}

/** Registers gauges of this process's state. `aggregator` says how to combine those of several processes. */
export function registerGauges(
  registry: Registry,
  { groupCommit, pools, replica, redis, diskSpace }: GaugeSources,
): void {
  const gauge = (name: string, help: string, aggregator: Aggregator, read: () => number) =>
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });

  gauge('footfall_processes', 'Processes that serve', 'sum', () => 1);
  gauge('footfall_recorder_waiting', 'Requests that wait for their group commit', 'sum', () => groupCommit.waiting);
  gauge('footfall_recorder_lag_seconds', 'Age of the oldest that waits', 'max', () => groupCommit.lag / 1000);
  if (replica) {
    const help = '1 while lists are read from the replica; 0 while the primary is asked instead';
    gauge('footfall_replica_up', help, 'min', () => Number(replica.isUp));
    gauge('footfall_replica_lag_seconds', 'How far the replica is behind', 'max', () => replica.lagSeconds);
  }
  if (redis) {
    const help = '1 while Redis holds the rate limit; 0 while a process has fallen back to a window of its own';
    gauge('footfall_redis_up', help, 'min', () => Number(redis.available === 1));
    const share = 'Share of the rate limits that Redis holds; between 0 and 1 while some nodes of a cluster are away';
    gauge('footfall_redis_available_ratio', share, 'min', () => redis.available);
  }
  if (diskSpace) {
    gauge(
      'footfall_disk_free_bytes',
      'Free space on the disk of the embedded database',
      'min',
      () => diskSpace.freeBytes ?? Number.NaN,
    );
  }
  const sum = (figure: (pool: Pool) => number) => pools().reduce((total, pool) => total + figure(pool), 0);
  new Gauge({
    name: 'footfall_database_connections',
    help: 'Connections of the pools',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set(
        { state: 'in_use' },
        sum((pool) => pool.totalCount - pool.idleCount),
      );
      this.set(
        { state: 'idle' },
        sum((pool) => pool.idleCount),
      );
    },
  });
  gauge('footfall_database_waiting', 'Queries that wait for a connection', 'sum', () =>
    sum((pool) => pool.waitingCount),
  );
}
