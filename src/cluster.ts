import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import { ApiKeys } from './domain/api-keys/api-keys.ts';
import { listen } from './http/listen.ts';
import { WorkerMetrics } from './metrics/worker-metrics.ts';
import type { Log } from './process/log.ts';
import type { ReportProgress } from './process/progress.mjs';
import { StartError } from './process/start-error.ts';
import { type Service, startService } from './service.ts';
import { openStorage } from './storage.ts';

/** Milliseconds before a process that exited by itself is replaced. */
const RESTART_MS = 1_000;

/**
 * Opens and migrates the database, and runs as many serving processes as configured, which share the port. One that
 * exits by itself is replaced. Stopping drains all of them.
 */
export async function startCluster(config: Config, log: Log, progress?: ReportProgress): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  const port = await reservePort(config);
  const { address, database } = await openStorage(config, log, opened, config.databasePoolSize, progress);
  const members = new Set<Worker>();
  const reporting = new WorkerMetrics();
  let stopping = false;

  const fork = (): Worker => {
    const worker = cluster.fork({ DATABASE_URL: address.url, PORT: String(port) });
    members.add(worker);
    worker.once('message', () => reporting.add(worker));
    worker.once('exit', async (code, signal) => {
      members.delete(worker);
      if (stopping) return;
      log.error({ member: worker.process.pid, code, signal }, 'a process ended, and is replaced');
      await sleep(RESTART_MS);
      if (!stopping) fork();
    });
    return worker;
  };
  opened.defer(async () => {
    stopping = true;
    const ended = [...members].map((worker) => once(worker, 'exit'));
    for (const worker of members) worker.process.kill('SIGTERM');
    await Promise.all(ended);
  });

  await Promise.all(Array.from({ length: config.workers }, () => untilListening(fork())));
  const { host } = config;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const resources = opened.move();
  return { url, keys: new ApiKeys(database), database, stop: () => resources.disposeAsync() };
}

/**
 * Returns the configured port, or a free one for 0. Listens on it briefly: sharing the port means that a stranger's
 * process could share it too.
 */
async function reservePort(config: Config): Promise<number> {
  const server = createServer();
  await listen(server, config, false);
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Serves as one process of the cluster and notifies the leader when it is ready. */
export async function startClusterWorker(config: Config, log: Log): Promise<Service> {
  const service = await startService(config, log, { isWarm: true });
  process.send?.('listening');
  return service;
}

/** Waits until a process listens. Rejects if it exits instead; it has logged the reason itself. */
async function untilListening(worker: Worker): Promise<void> {
  const ended = once(worker, 'exit').then(() => {
    throw new StartError('A process could not start');
  });
  await Promise.race([once(worker, 'message'), ended]);
}
