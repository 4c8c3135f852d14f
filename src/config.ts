import { availableParallelism } from 'node:os';
import { DATABASE_TIMEOUT } from './process/database-patience.ts';
import { isNetwork } from './process/networks.ts';
import { problemOfRedisUrls, splitRedisUrls } from './process/redis-urls.ts';
import { isSmtpUrl } from './process/smtp-url.ts';
import { StartError } from './process/start-error.ts';

/** A setting has an unusable value; the message lists every such setting. */
export class ConfigError extends StartError {}

export interface Config {
  /** Address to listen on. `HOST`, default `127.0.0.1`. */
  host: string;
  /** Port to listen on; 0 takes a free one. `PORT`, default 3000. */
  port: number;
  /** Directory of the embedded database. `DATA_DIR`, default `.data`. */
  dataDir: string;
  /** Postgres to use; without it an embedded one runs in `dataDir`. `DATABASE_URL`. */
  databaseUrl: string | undefined;
  /** A standby of it, from which lists are read. `DATABASE_REPLICA_URL`. */
  databaseReplicaUrl: string | undefined;
  /** Connections to Postgres per process, half of them for reading. `DATABASE_POOL_SIZE`, default 10. */
  databasePoolSize: number;
  /** Redis, or nodes of a Redis Cluster, for the rate-limit windows; if empty each process has its own. `REDIS_URL`. */
  redisUrls: readonly string[];
  /** Requests per minute by tier; always includes `standard`. `RATE_LIMIT_TIERS`. */
  rateLimitTiers: ReadonlyMap<string, number>;
  /** Authorization schemes that the compatibility surface accepts besides its own two. `COMPAT_AUTH_SCHEMES`. */
  compatAuthSchemes: readonly string[];
  /** Host names, in lower case, under which the compatibility surface also answers at the root. `COMPAT_HOSTS`. */
  compatHosts: readonly string[];
  /** Whether the compatibility surface shows the names of lists. `COMPAT_LISTS`, default `false`. */
  compatLists: boolean;
  /** Days after which events are deleted, by whole months; 0 keeps them forever. `EVENT_RETENTION_DAYS`, default 0. */
  eventRetentionDays: number;
  /**
   * Days after which the runs of automations that have ended or failed are deleted; 0 keeps them for ever.
   * `AUTOMATION_RETENTION_DAYS`, default 90.
   */
  automationRetentionDays: number;
  /**
   * Serving processes, which share one port. `WORKERS`, by default one per core if Redis is configured, otherwise 1:
   * several processes need Redis to count requests together.
   */
  workers: number;
  /** Bulk jobs that this process works on concurrently; 0 leaves them to others. `WORKER_CONCURRENCY`, default 2. */
  workerConcurrency: number;
  /**
   * Stores for whose automations this process works concurrently; 0 leaves them to others. `AUTOMATION_CONCURRENCY`,
   * default 2.
   */
  automationConcurrency: number;
  /** Messages that this process hands over concurrently; 0 leaves them to others. `MESSAGE_CONCURRENCY`, default 256. */
  messageConcurrency: number;
  /** Messages in a second that a sender may be given at most. `MESSAGE_MAX_PER_SECOND`, default 500. */
  messageMaxPerSecond: number;
  /** Days after which messages that have ended are deleted; 0 keeps them for ever. `MESSAGE_RETENTION_DAYS`, default 400. */
  messageRetentionDays: number;
  /** Private networks that webhooks, messages and requests to identity providers may go to, such as `10.1.0.0/16`. `WEBHOOK_ALLOWED_NETWORKS`. */
  webhookAllowedNetworks: readonly string[];
  /** Whether webhooks and requests to identity providers may go to `http` URLs, for development. `WEBHOOK_ALLOW_HTTP`, default 0. */
  webhookAllowHttp: boolean;
  /**
   * Keys for what is kept secret in the database: the first encrypts and signs, each decrypts and verifies. If there is
   * none, one is drawn and kept in the database. `SECRET_KEY`.
   */
  secretKeys: readonly string[];
  /** Where customers reach the service, for links in messages, without a slash at its end. `PUBLIC_URL`. */
  publicUrl: string | undefined;
  /** A server of mail that all stores may use for domains that are theirs. `SMTP_URL`. */
  smtpUrl: string | undefined;
  /** Messages that a store may send by it in a day. `SMTP_URL_MAX_PER_DAY`, default 1,000. */
  smtpUrlMaxPerDay: number;
  /** Where Twilio takes text messages, without a slash at its end. `TWILIO_URL`, default `https://api.twilio.com`. */
  twilioUrl: string;
  /** Number of proxies in front that append to `X-Forwarded-For`. `TRUST_PROXY`, default 0. */
  trustProxy: number;
  /** Leading bits of an IPv6 address that identify a client. `IPV6_PREFIX`, default 64. */
  ipv6Prefix: number;
  /** Client connections per process; further ones are closed at once. `MAX_CONNECTIONS`, default 10,000. */
  maxConnections: number;
  /**
   * Connections of one address, or IPv6 network, per process; further ones are closed at once. Not enforced behind a
   * proxy, whose address all of them have. `MAX_CONNECTIONS_PER_ADDRESS`, by default a quarter of `MAX_CONNECTIONS`.
   */
  maxConnectionsPerAddress: number;
  /** Seconds that a request may wait for the database. `DATABASE_TIMEOUT`, default 3.7. */
  databaseTimeout: number;
  /** Seconds in which the headers of a request must arrive. `HEADERS_TIMEOUT`, default 10. */
  headersTimeout: number;
  /**
   * Seconds in which a whole request must arrive. `REQUEST_TIMEOUT`, default 60: 5 MB at 700 kbit/s, so that a slow
   * connection succeeds and one that trickles is cut.
   */
  requestTimeout: number;
  /**
   * Requests that each process handles concurrently; further ones are refused. `MAX_REQUESTS`, default 5,000: the
   * backlog after the database pauses for a second, which can still be served in time.
   */
  maxRequests: number;
  /**
   * Megabytes of request bodies that each process holds at a time; further ones are refused. `MAX_BODY_MEMORY`, default
   * 128. Parsed bodies take several times as much.
   */
  maxBodyMemory: number;
  /**
   * Megabytes of responses that wait for their clients to read them, per process; further ones are refused.
   * `MAX_RESPONSE_MEMORY`, by default as much as for bodies.
   */
  maxResponseMemory: number;
  /** Bearer token that `/metrics` requires; without it `/metrics` is open. `METRICS_TOKEN`. */
  metricsToken: string | undefined;
  /** Least severe level that is logged. `LOG_LEVEL`, default `info`. */
  logLevel: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const HOST_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const DEFAULT_TIERS = 'standard=700,high_volume=1400,partner=3500';

/** What links in messages begin with, without a slash at its end. */
export function linkBaseOf({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string {
  return publicUrl ?? `http://127.0.0.1:${port}`;
}

/** Reads the environment. Throws a `ConfigError` that names every bad value. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];

  /** An empty setting counts as not set: that is how compose files and shells omit one. */
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;

  const seconds = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    if (/^\d+(?:\.\d{1,3})?$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    problems.push(`${name} must be a number of seconds from ${min} to ${max}, not "${value}"`);
    return fallback;
  };

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
    // Not the value itself, which may contain a password.
    problems.push(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return undefined;
  };

  const redisUrls = (name: string): readonly string[] => {
    const urls = splitRedisUrls(text(name) ?? '');
    const problem = problemOfRedisUrls(urls);
    if (problem) problems.push(`${name} ${problem}`);
    return urls;
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

  const list = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean);

  const schemes = (name: string): readonly string[] => {
    const words = list(name);
    for (const word of words) {
      if (!/^[A-Za-z][A-Za-z0-9._~+-]*$/.test(word))
        problems.push(`${name} must list scheme words; "${word}" is not one`);
    }
    return words;
  };

  const hosts = (name: string): readonly string[] => {
    const names = list(name).map((host) => host.toLowerCase());
    for (const host of names) {
      if (host.length > 253 || !HOST_NAME.test(host))
        problems.push(`${name} must list host names, without scheme, port or path; "${host}" is not one`);
    }
    return names;
  };

  const networks = (name: string): readonly string[] => {
    const words = list(name);
    for (const word of words) {
      if (!isNetwork(word)) problems.push(`${name} must list networks like 10.1.0.0/16; "${word}" is not one`);
    }
    return words;
  };

  const token = (name: string): string | undefined => {
    const value = text(name);
    if (value === undefined || /^[A-Za-z0-9._~+/-]{16,}=*$/.test(value)) return value;
    // Not the value itself, which is a secret.
    problems.push(`${name} must be at least 16 letters, digits and any of ._~+/-`);
    return undefined;
  };

  const keys = (name: string): readonly string[] => {
    const texts = list(name);
    // Not the values themselves, which are secrets.
    if (texts.some((key) => key.length < 32)) problems.push(`${name} must list keys of 32 characters or more`);
    if (new Set(texts).size < texts.length) problems.push(`${name} must not list a key twice`);
    if (texts.length > 10) problems.push(`${name} must not list more than 10 keys`);
    return texts;
  };

  const publicUrl = (name: string): string | undefined => {
    const given = url(name, ['https:', 'http:']);
    if (given === undefined) return undefined;
    const { username, password, search, hash, href } = new URL(given);
    if (username || password || search || hash) {
      problems.push(`${name} must have no user name, password, query or fragment`);
    }
    return href.replace(/\/+$/, '');
  };

  const smtpUrl = (name: string): string | undefined => {
    const given = url(name, ['smtps:', 'smtp:']);
    if (given !== undefined && !isSmtpUrl(given)) {
      problems.push(`${name} must be like smtps://user:password@host:465, with % before what is not plain`);
    }
    return given;
  };

  const hasRedis = text('REDIS_URL') !== undefined;
  const workers = integer('WORKERS', hasRedis ? availableParallelism() : 1, 1, 256);
  if (workers > 1 && !hasRedis) {
    problems.push('WORKERS above 1 needs REDIS_URL, so that the processes share the rate limit');
  }

  if (text('DATABASE_REPLICA_URL') !== undefined && text('DATABASE_URL') === undefined) {
    problems.push('DATABASE_REPLICA_URL needs DATABASE_URL: the embedded Postgres has no standby');
  }

  const maxBodyMemory = integer('MAX_BODY_MEMORY', 128, 5, 100_000);
  const maxConnections = integer('MAX_CONNECTIONS', 10_000, 1, 1_000_000);
  const quarter = Math.max(1, Math.floor(maxConnections / 4));

  const config: Config = {
    host: text('HOST') ?? '127.0.0.1',
    port: integer('PORT', 3000, 0, 65535),
    dataDir: text('DATA_DIR') ?? '.data',
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseReplicaUrl: url('DATABASE_REPLICA_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 2, 1000),
    databaseTimeout: seconds('DATABASE_TIMEOUT', DATABASE_TIMEOUT, 3, 20),
    redisUrls: redisUrls('REDIS_URL'),
    rateLimitTiers: tiers('RATE_LIMIT_TIERS'),
    compatAuthSchemes: schemes('COMPAT_AUTH_SCHEMES'),
    compatHosts: hosts('COMPAT_HOSTS'),
    compatLists: choice('COMPAT_LISTS', 'false', ['true', 'false']) === 'true',
    workers,
    workerConcurrency: integer('WORKER_CONCURRENCY', 2, 0, 100),
    automationConcurrency: integer('AUTOMATION_CONCURRENCY', 2, 0, 100),
    automationRetentionDays: integer('AUTOMATION_RETENTION_DAYS', 90, 0, 36_500),
    eventRetentionDays: integer('EVENT_RETENTION_DAYS', 0, 0, 36_500),
    messageConcurrency: integer('MESSAGE_CONCURRENCY', 256, 0, 10_000),
    messageMaxPerSecond: integer('MESSAGE_MAX_PER_SECOND', 500, 1, 10_000),
    messageRetentionDays: integer('MESSAGE_RETENTION_DAYS', 400, 0, 36_500),
    webhookAllowedNetworks: networks('WEBHOOK_ALLOWED_NETWORKS'),
    webhookAllowHttp: integer('WEBHOOK_ALLOW_HTTP', 0, 0, 1) === 1,
    secretKeys: keys('SECRET_KEY'),
    publicUrl: publicUrl('PUBLIC_URL'),
    smtpUrl: smtpUrl('SMTP_URL'),
    smtpUrlMaxPerDay: integer('SMTP_URL_MAX_PER_DAY', 1_000, 0, 100_000_000),
    twilioUrl: publicUrl('TWILIO_URL') ?? 'https://api.twilio.com',
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
