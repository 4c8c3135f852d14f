import { join } from 'node:path';
import { freePort, type Started, start } from './processes.ts';

export const ROOT = join(import.meta.dirname, '../..');
/** What a service prints once it listens. */
export const LISTENING = /Footfall is listening/;
export const TIERS = 'standard=100000000,high_volume=100000000,partner=100000000';

/** A service to measure. */
export interface Target {
  url: string;
  key: string;
  process: Started;
}

interface ServiceOptions {
  /** Matches its output once it listens; by default its first key, which a second start does not print. */
  ready?: RegExp;
  tiers?: string;
  settings?: NodeJS.ProcessEnv;
  /** The checkout that it is started from. */
  folder?: string;
}

/** Starts the service. The key is empty if it printed none. */
export async function startService(
  databaseUrl: string,
  redisUrl: string,
  { ready = /ffk_\w+/, tiers = TIERS, settings = {}, folder = ROOT }: ServiceOptions = {},
): Promise<Target> {
  const port = await freePort();
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    PORT: String(port),
    RATE_LIMIT_TIERS: tiers,
    ...settings,
  };
  const service = await start('npm', ['start'], { env, cwd: folder, ready });
  const [key = ''] = /ffk_\w+/.exec(service.output()) ?? [];
  return { url: `http://127.0.0.1:${port}`, key, process: service };
}
