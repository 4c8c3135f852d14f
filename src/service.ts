import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import { compatSurface } from './compat/index.ts';
import type { Config } from './config.ts';
import { type Database, openDatabase, type Sql } from './db/orm.ts';
import { type InTurn, split, turnsAt } from './db/pool-share.ts';
import { ApiKeys } from './domain/api-keys/api-keys.ts';
import { Callers } from './domain/api-keys/callers.ts';
import { Feed, TICK_MS } from './domain/change-feed/change-feed.ts';
import { findEvent } from './domain/reading/events.ts';
import type { FindReplay } from './domain/record-event.ts';
import { RejectionLog } from './domain/rejections.ts';
import { Recorder } from './domain/write/group-commit.ts';
import { drainable } from './http/drain.ts';
import { watchDatabase } from './http/health.ts';
import { listen, SHARES_PORTS } from './http/listen.ts';
import { rateLimitUses } from './http/rate-limit.ts';
import { ResponseBudget } from './http/response-budget.ts';
import { createHttpServer } from './http/server.ts';
import { LargeRequests } from './large-requests/large-requests.ts';
import { createExposition } from './metrics/exposition.ts';
import { watch } from './metrics/gauges.ts';
import { Metrics } from './metrics/metrics.ts';
import { nativeSurface } from './native/index.ts';
import { EVENT_STREAM } from './native/stream-events.ts';
import { logStandstills } from './process/event-loop-monitor.ts';
import type { Log } from './process/log.ts';
import { complaining } from './process/log-failures-once.ts';
import { opening, type Releasers } from './process/releasers.ts';
import type { Running } from './process/run-until-signal.ts';
import { MemoryWindow } from './rate-limit/memory-window.ts';
import { RedisWindow } from './rate-limit/redis-window.ts';
import { openStorage, openWorker, type Storage } from './storage.ts';

/** Connections for keys, health and metrics. */
const CONTROL_CONNECTIONS = 3;
/** Milliseconds between two writings of when keys were last used. */
const LAST_USED_FLUSH_MS = 5_000;
/** And of refused requests. */
const REJECTIONS_FLUSH_MS = 1_000;

export interface Service extends Running {
  /** Where it listens: `http://127.0.0.1:3000`. */
  url: string;
  keys: ApiKeys;
  database: Database;
}

/** Opens what the configuration names, and serves. Stopping lets the requests under way end, and closes everything. */
export function startService(config: Config, log: Log): Promise<Service> {
  return opening(async (releasers) => {
    const connections = split(config.databasePoolSize);
    const storage = await openStorage(config, log, releasers, connections.writing);
    const { sql, pool } = storage.database;
    const reads = await openDatabase(storage.databaseUrl, connections.reading);
    releasers.push(() => reads.orm.close(true));
    const metrics = new Metrics(config.rateLimitTiers);

    const writeTurns = turnsAt(connections.writing);
    const keys = new ApiKeys(storage.database, writeTurns);
    const control = await openControl(storage, releasers);
    const callers = new Callers(control);
    const flushLastUsed = () =>
      callers.flushLastUsed().catch((err) => log.warn({ err }, 'last use of keys not written'));
    releasers.push(flushLastUsed);
    releasers.every(LAST_USED_FLUSH_MS, flushLastUsed);

    const redis = config.redisUrl ? await RedisWindow.open(config.redisUrl, log) : undefined;
    if (redis) releasers.push(() => redis.close());
    const worker = await openWorker(config, storage, log, releasers, metrics.batch);

    const rejections = new RejectionLog(sql);
    const flushRejections = complaining(log, 'refused requests not written', () => rejections.flush());
    releasers.push(flushRejections);
    releasers.every(REJECTIONS_FLUSH_MS, flushRejections);

    const responses = new ResponseBudget(config);
    const feed = await openFeed(storage, responses, log, releasers);
    const recorder = new Recorder(sql, metrics.batch, writeTurns);
    watch(metrics.registry, { recorder, pools: [pool, reads.pool], redis, freeSpace: storage.freeSpace });
    const window = redis ?? new MemoryWindow();
    const readTurns = turnsAt(connections.reading);
    const writing: InTurn = (storeId, work) => writeTurns.take(storeId, () => work(sql));
    const reading: InTurn = (storeId, work) => readTurns.take(storeId, () => work(reads.sql));
    const findReplay: FindReplay = (caller, id) =>
      reading(caller.storeId, async (db) => {
        // Many may have waited for their turn since they began.
        responses.check(caller.storeId);
        return findEvent(db, caller, id);
      });
    const surfaces = [
      await nativeSurface({
        recorder,
        findReplay,
        sql: reads.sql,
        keys,
        rateLimitUses: rateLimitUses(window, config.rateLimitTiers),
        feed,
      }),
      await compatSurface({ recorder, findReplay, writing, reading, reads: reads.sql }, config.compatAuthSchemes),
    ] as const;
    const setup = { databaseUrl: storage.databaseUrl, compatAuthSchemes: config.compatAuthSchemes };
    const largeRequests = new LargeRequests({ setup, log, observe: metrics.batch });
    releasers.push(() => largeRequests.stop());
    releasers.push(logStandstills(log));
    let draining = false;
    const app = createApp({
      config,
      log,
      callers,
      window,
      health: {
        isDatabaseUp: watchDatabase(control),
        freeSpace: storage.freeSpace,
        redis,
        worker,
        isDraining: () => draining,
      },
      rejections,
      metrics,
      exposition: createExposition(metrics.registry, control),
      surfaces,
      responses,
      readTurns,
      largeRequests,
    });
    const server = createHttpServer(app.callback(), config, surfaces);
    const drain = drainable(server);
    await listen(server, config, cluster.isWorker && SHARES_PORTS);
    releasers.push(drain);
    // They would go on for ever, and the drain with them.
    releasers.push(() => feed.end());
    const stop = () => {
      draining = true;
      return releasers.release();
    };
    return { url: urlOf(config.host, server), keys, database: storage.database, stop };
  });
}

/**
 * Connections for what has to be known of a request before it is admitted, and for those who look after the service:
 * keys that are known, others, and both looks at the database. They neither wait for requests nor hold them up.
 */
async function openControl({ databaseUrl }: Storage, releasers: Releasers): Promise<Sql> {
  const { orm, sql } = await openDatabase(databaseUrl, CONTROL_CONNECTIONS);
  releasers.push(() => orm.close(true));
  return sql;
}

/** What happens, for those who follow it: on a connection of its own, so that it never waits for requests. */
async function openFeed(
  { databaseUrl }: Storage,
  memory: ResponseBudget,
  log: Log,
  releasers: Releasers,
): Promise<Feed> {
  const { orm, sql } = await openDatabase(databaseUrl, 1);
  releasers.push(() => orm.close(true));
  const onFailure = (err: unknown, store_id: string) => log.warn({ err, store_id }, 'a stream failed, and was ended');
  const feed = new Feed({ sql, script: EVENT_STREAM, memory, onFailure });
  releasers.every(
    TICK_MS,
    complaining(log, 'streams not served', () => feed.tick()),
  );
  return feed;
}

function urlOf(host: string, server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
