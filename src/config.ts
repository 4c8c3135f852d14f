import { availableParallelism } from 'node:os';
import { StartError } from './process/start-error.ts';

/** A setting's value could not be used; the message lists every such setting. */
export class ConfigError extends StartError {}

export interface Config {
  /** Address to listen on. `HOST`, default `127.0.0.1`. */
  host: string;
  /** Port to listen on; 0 takes a free one. `PORT`, default 3000. */
  port: number;
  /** Folder of the embedded database. `DATA_DIR`, default `.data`. */
  dataDir: string;
  /** Postgres to use; without it an embedded one is started in `dataDir`. `DATABASE_URL`. */
  databaseUrl: string | undefined;
  /** Connections to Postgres, for each process, half of them for reading. `DATABASE_POOL_SIZE`, default 10. */
  databasePoolSize: number;
  /** Redis that holds the rate-limit window; without it the window is this process's own. `REDIS_URL`. */
  redisUrl: string | undefined;
  /** Requests per minute by tier; `standard` is always there. `RATE_LIMIT_TIERS`. */
  rateLimitTiers: ReadonlyMap<string, number>;
  /** Scheme words that the compatibility surface accepts besides its own two. `COMPAT_AUTH_SCHEMES`. */
  compatAuthSchemes: readonly string[];
  /** Days after which events are deleted, by whole months; 0 keeps them for ever. `EVENT_RETENTION_DAYS`, default 0. */
  eventRetentionDays: number;
  /**
   * Processes that serve, on one port. `WORKERS`, by default one for each core where Redis is configured, else 1: more
   * than that need Redis, to count requests together.
   */
  workers: number;
  /** Bulk jobs that this process works at at the same time; 0 leaves them to others. `WORKER_CONCURRENCY`, default 2. */
  workerConcurrency: number;
  /** How many proxies stand in front and append to `X-Forwarded-For`. `TRUST_PROXY`, default 0. */
  trustProxy: number;
  /** Bits of an IPv6 address that tell one client from another. `IPV6_PREFIX`, default 64. */
  ipv6Prefix: number;
  /** Connections of clients, for each process; further ones are closed at once. `MAX_CONNECTIONS`, default 10,000. */
  maxConnections: number;
  /**
   * Connections of one address, or IPv6 network, to each process; likewise. Not behind a proxy, whose address all of them
   * have. `MAX_CONNECTIONS_PER_ADDRESS`, by default a quarter of `MAX_CONNECTIONS`.
   */
  maxConnectionsPerAddress: number;
  /** Seconds in which the headers of a request have to arrive. `HEADERS_TIMEOUT`, default 10. */
  headersTimeout: number;
  /**
   * Seconds in which a whole request has to arrive. `REQUEST_TIMEOUT`, default 60: 5 MB at 700 kbit/s, so that a poor
   * connection gets through and one that trickles does not stay.
   */
  requestTimeout: number;
  /**
   * Requests that each process works at at the same time; further ones are refused. `MAX_REQUESTS`, default 5,000: what
   * a database that catches its breath for a second leaves behind, and can be answered in time afterwards.
   */
  maxRequests: number;
  /**
   * Megabytes of request bodies that each process holds at the same time; further ones are refused. `MAX_BODY_MEMORY`,
   * default 128. What is parsed from them takes several times as much.
   */
  maxBodyMemory: number;
  /**
   * Megabytes of answers that wait for their clients to take them, in each process; further ones are refused.
   * `MAX_RESPONSE_MEMORY`, by default as much as for bodies.
   */
  maxResponseMemory: number;
  /** What `/metrics` asks for as a Bearer token; without it `/metrics` is open. `METRICS_TOKEN`. */
  metricsToken: string | undefined;
  /** Least severe level that is logged. `LOG_LEVEL`, default `info`. */
  logLevel: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const DEFAULT_TIERS = 'standard=700,high_volume=1400,partner=3500';

/** Reads the environment; throws a `ConfigError` that names every bad value at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];

  /** A setting that is set to nothing counts as not set: that is how compose files and shells leave one out. */
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;

  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`);
    return fallback;
  };

  const url = (name: string, protocols: string[]): string | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    // Not the value itself: it may hold a password.
    problems.push(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return undefined;
  };

  const choice = (name: string, fallback: string, values: string[]): string => {
    const value = text(name) ?? fallback;
    if (values.includes(value)) return value;
    problems.push(`${name} must be one of ${values.join(', ')}, not "${value}"`);
    return fallback;
  };

  const tiers = (name: string): ReadonlyMap<string, number> => {
    const result = new Map<string, number>();
    for (const part of (text(name) ?? DEFAULT_TIERS).split(',')) {
      const [, tier, limit] = /^\s*([a-z][a-z0-9_]*)\s*=\s*([1-9]\d{0,8})\s*$/.exec(part) ?? [];
      if (tier && limit) result.set(tier, Number(limit));
      else problems.push(`${name} must be a list like "${DEFAULT_TIERS}"; "${part.trim()}" is not tier=requests`);
    }
    if (!result.has('standard')) problems.push(`${name} must give a limit for the tier "standard"`);
    return result;
  };

  const schemes = (name: string): readonly string[] => {
    const words = (text(name) ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean);
    for (const word of words) {
      if (!/^[A-Za-z][A-Za-z0-9._~+-]*$/.test(word))
        problems.push(`${name} must list scheme words; "${word}" is not one`);
    }
    return words;
  };

  const token = (name: string): string | undefined => {
    const value = text(name);
    if (value === undefined || /^[A-Za-z0-9._~+/-]{16,}=*$/.test(value)) return value;
    // Not the value itself: it is a secret.
    problems.push(`${name} must be at least 16 letters, digits and any of ._~+/-`);
    return undefined;
  };

  const hasRedis = text('REDIS_URL') !== undefined;
  const workers = integer('WORKERS', hasRedis ? availableParallelism() : 1, 1, 256);
  if (workers > 1 && !hasRedis) {
    problems.push('WORKERS above 1 needs REDIS_URL, so that the processes share the rate limit');
  }

  const maxBodyMemory = integer('MAX_BODY_MEMORY', 128, 5, 100_000);
  const maxConnections = integer('MAX_CONNECTIONS', 10_000, 1, 1_000_000);
  const quarter = Math.max(1, Math.floor(maxConnections / 4));

  const config: Config = {
    host: text('HOST') ?? '127.0.0.1',
    port: integer('PORT', 3000, 0, 65535),
    dataDir: text('DATA_DIR') ?? '.data',
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 2, 1000),
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    rateLimitTiers: tiers('RATE_LIMIT_TIERS'),
    compatAuthSchemes: schemes('COMPAT_AUTH_SCHEMES'),
    workers,
    workerConcurrency: integer('WORKER_CONCURRENCY', 2, 0, 100),
    eventRetentionDays: integer('EVENT_RETENTION_DAYS', 0, 0, 36_500),
    trustProxy: integer('TRUST_PROXY', 0, 0, 10),
    ipv6Prefix: integer('IPV6_PREFIX', 64, 32, 128),
    maxConnections,
    maxConnectionsPerAddress: integer('MAX_CONNECTIONS_PER_ADDRESS', quarter, 1, 1_000_000),
    headersTimeout: integer('HEADERS_TIMEOUT', 10, 1, 3600),
    requestTimeout: integer('REQUEST_TIMEOUT', 60, 1, 3600),
    maxRequests: integer('MAX_REQUESTS', 5_000, 1, 1_000_000),
    maxBodyMemory,
    maxResponseMemory: integer('MAX_RESPONSE_MEMORY', maxBodyMemory, 5, 100_000),
    metricsToken: token('METRICS_TOKEN'),
    logLevel: choice('LOG_LEVEL', 'info', LOG_LEVELS),
  };
  if (problems.length > 0) throw new ConfigError(`Bad configuration:\n${problems.map((p) => `  ${p}`).join('\n')}`);
  return Object.freeze(config);
}
