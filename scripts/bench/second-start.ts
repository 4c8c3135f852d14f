import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, start } from './processes.ts';
import { ROOT } from './service.ts';

const STOP_MS = 20_000;

/**
 * Measures the milliseconds that `npm start` takes to serve a data directory with an existing database, without Redis.
 */
export async function measureSecondStart(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'footfall-bench-'));
  const env = { DATA_DIR: folder, DATABASE_URL: '', REDIS_URL: '', PORT: String(await freePort()) };
  const serve = async (): Promise<number> => {
    const begin = performance.now();
    const service = await start('npm', ['start'], { env, cwd: ROOT, ready: /listening on/ });
    const ms = performance.now() - begin;
    await service.stop();
    // npm does not wait for what it runs, which stops Postgres last.
    const deadline = performance.now() + STOP_MS;
    while (existsSync(join(folder, 'postgres/postmaster.pid')) && performance.now() < deadline) await sleep(20);
    return ms;
  };
  try {
    await serve();
    return await serve();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
