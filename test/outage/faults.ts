import { expect } from 'chai';
import type { SmallDisk } from '../support/small-disk.ts';
import type { Stage } from './stage.ts';
import type { Attempt } from './writers.ts';

/** What has been seen of a fault so far. */
export interface Seen {
  /** Requests that were answered, or failed, since it began. */
  attempts: readonly Attempt[];
  /** Those of them that were sent since. */
  within: readonly Attempt[];
  /** Milliseconds that some request has waited for its answer, or still waits. */
  longestMs: number;
  /** What the service has logged since it began. */
  log: readonly string[];
}

export interface Fault {
  name: string;
  /** Milliseconds that it lasts at the least. */
  ms: number;
  begin(stage: Stage): unknown;
  /** Resolves once what failed can be used again. */
  end(stage: Stage): unknown;
  /** How requests may fail meanwhile. */
  failures: readonly string[];
  /** Whether it can be seen that the fault was one; it lasts until then. */
  shows(seen: Seen): boolean;
  /** Whether that may be seen only once it has ended. */
  showsLater?: true;
  /** Whether all that is done is answered. */
  answersAll?: true;
  /** Processes of the service; default 1. */
  processes?: number;
}

const DATABASE_ERROR = ['500 database_error'];
/** Where the database is late: those that wait for it keep the connections. */
export const NO_CONNECTION = [...DATABASE_ERROR, '502 upstream_error', '503 upstream_error'];
const UNANSWERED = ['unanswered', 'unreachable'];
const NONE: readonly string[] = [];

const refuses = ({ attempts }: Seen) => attempts.some(({ outcome }) => /^\d/.test(outcome));
const breaks = ({ attempts }: Seen) => attempts.some(({ outcome }) => outcome !== 'acknowledged');
const slows = (ms: number) => (seen: Seen) => seen.longestMs >= ms;
const missesRedis = ({ log }: Seen) => log.some((line) => line.includes('Redis is not available'));
const missesNode = ({ log }: Seen) => log.some((line) => line.includes('A Redis node is not available'));

/** Each way; a round trip takes twice that. */
const DELAY_MS = 100;
/** Timers may be early by so much. */
const EARLY_MS = 10;
/** Requests of which each has to wait for a round trip. */
const DELAYED = 10;
const delays = ({ within }: Seen) =>
  within.length >= DELAYED && within.every(({ sentAt, answeredAt }) => answeredAt - sentAt >= 2 * DELAY_MS - EARLY_MS);

export const SERVICE_FAULTS: readonly Fault[] = [
  {
    name: 'SIGKILL of the service, restarted',
    ms: 500,
    begin: (stage) => stage.endService('SIGKILL'),
    end: (stage) => stage.restartService(),
    failures: UNANSWERED,
    shows: breaks,
  },
  {
    name: 'SIGTERM of the service, restarted',
    ms: 100,
    begin: async (stage) => expect(await stage.endService('SIGTERM')).to.include({ code: 0, stderr: '' }),
    end: (stage) => stage.restartService(),
    failures: UNANSWERED,
    shows: breaks,
    answersAll: true,
  },
  {
    name: 'SIGKILL of one of two services',
    ms: 500,
    begin: (stage) => stage.endService('SIGKILL'),
    end: () => {},
    failures: UNANSWERED,
    shows: breaks,
    processes: 2,
  },
];

export const POSTGRES_FAULTS: readonly Fault[] = [
  {
    name: 'SIGKILL of Postgres, restarted',
    ms: 1_000,
    begin: (stage) => stage.killPostgres(),
    end: (stage) => stage.restartPostgres(),
    failures: DATABASE_ERROR,
    shows: refuses,
  },
  {
    name: 'Postgres frozen',
    ms: 3_000,
    begin: (stage) => stage.freezePostgres(),
    end: (stage) => stage.thawPostgres(),
    failures: NO_CONNECTION,
    shows: slows(2_500),
  },
  {
    name: 'Postgres read-only',
    ms: 500,
    begin: (stage) => stage.makeReadOnly(true),
    end: (stage) => stage.makeReadOnly(false),
    failures: DATABASE_ERROR,
    shows: refuses,
  },
  {
    name: 'lock on profiles',
    ms: 3_500,
    begin: (stage) => stage.lockProfiles(),
    end: (stage) => stage.unlockProfiles(),
    failures: NO_CONNECTION,
    shows: refuses,
  },
  {
    name: 'statements of Postgres out of time',
    ms: 2_000,
    begin: (stage) => stage.cancelStatements(),
    end: (stage) => stage.letStatementsEnd(),
    failures: DATABASE_ERROR,
    shows: refuses,
  },
  {
    name: 'network to Postgres cut',
    ms: 500,
    begin: (stage) => stage.postgresNetwork.cut(),
    end: (stage) => stage.postgresNetwork.heal(),
    failures: DATABASE_ERROR,
    shows: refuses,
  },
  {
    name: 'network to Postgres slower by 200 ms',
    ms: 1_500,
    begin: (stage) => stage.postgresNetwork.delay(DELAY_MS),
    end: (stage) => stage.postgresNetwork.heal(),
    failures: NONE,
    shows: delays,
  },
  {
    name: 'network to Postgres black-holed',
    ms: 5_500,
    begin: (stage) => stage.postgresNetwork.blackHole(),
    end: (stage) => stage.postgresNetwork.heal(),
    failures: NO_CONNECTION,
    shows: refuses,
  },
  {
    name: 'connections to Postgres forgotten',
    ms: 500,
    begin: (stage) => stage.postgresNetwork.blackHole(),
    end: (stage) => stage.postgresNetwork.forget(),
    failures: NO_CONNECTION,
    shows: refuses,
    showsLater: true,
  },
];

export const REDIS_FAULTS: readonly Fault[] = [
  {
    name: 'SIGKILL of Redis, restarted',
    ms: 700,
    begin: (stage) => stage.killRedis(),
    end: (stage) => stage.restartRedis(),
    failures: NONE,
    shows: missesRedis,
  },
  {
    name: 'Redis frozen',
    ms: 1_500,
    begin: (stage) => stage.signalRedis('SIGSTOP'),
    end: (stage) => stage.signalRedis('SIGCONT'),
    failures: NONE,
    shows: missesRedis,
  },
  {
    name: 'network to Redis cut',
    ms: 500,
    begin: (stage) => stage.redisNetwork.cut(),
    end: (stage) => stage.redisNetwork.heal(),
    failures: NONE,
    shows: missesRedis,
  },
  {
    name: 'network to Redis slower by 200 ms',
    ms: 700,
    begin: (stage) => stage.redisNetwork.delay(DELAY_MS),
    end: (stage) => stage.redisNetwork.heal(),
    failures: NONE,
    shows: delays,
  },
  {
    name: 'network to Redis black-holed',
    ms: 1_500,
    begin: (stage) => stage.redisNetwork.blackHole(),
    end: (stage) => stage.redisNetwork.heal(),
    failures: NONE,
    shows: missesRedis,
  },
  {
    name: 'connections to Redis forgotten',
    ms: 500,
    begin: (stage) => stage.redisNetwork.blackHole(),
    end: (stage) => stage.redisNetwork.forget(),
    failures: NONE,
    shows: missesRedis,
    showsLater: true,
  },
];

/** Of a stage with a Redis Cluster. */
export const CLUSTER_FAULTS: readonly Fault[] = [
  {
    name: 'SIGKILL of a master of Redis, restarted',
    ms: 1_500,
    begin: (stage) => stage.killMaster(),
    end: (stage) => stage.restartMaster(),
    failures: NONE,
    shows: missesNode,
  },
  {
    name: 'a master of Redis frozen',
    ms: 1_500,
    begin: (stage) => stage.signalMaster('SIGSTOP'),
    end: (stage) => stage.signalMaster('SIGCONT'),
    failures: NONE,
    shows: missesNode,
  },
];

/** The disk of Postgres is the one that is given, once there is one. */
export function fullDisk(disk: () => SmallDisk): Fault {
  return {
    name: 'disk of Postgres full',
    ms: 1_500,
    begin: () => disk().fill(),
    end: async (stage) => {
      await disk().free();
      // It gives up where it can't write its log.
      await stage.restartPostgres();
    },
    failures: DATABASE_ERROR,
    shows: refuses,
  };
}
