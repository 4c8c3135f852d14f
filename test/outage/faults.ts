import { expect } from 'chai';
import type { SmallDisk } from '../support/small-disk.ts';
import type { Stage } from './stage.ts';
import type { Trial } from './trial.ts';

export interface Fault {
  name: string;
  /** Milliseconds that it lasts. */
  ms: number;
  begin(stage: Stage): unknown;
  /** Resolves once what failed can be used again. */
  end(stage: Stage): unknown;
  /** How requests may fail meanwhile. */
  failures: readonly string[];
  /** Whether it can be seen that the fault was one. */
  shows(trial: Trial): boolean;
  /** Processes of the service; default 1. */
  processes?: number;
}

const DATABASE_ERROR = ['500 database_error'];
/** Where the database is late: those that wait for it keep the connections. */
export const NO_CONNECTION = [...DATABASE_ERROR, '502 upstream_error', '503 upstream_error'];
const UNANSWERED = ['unanswered', 'unreachable'];
const NONE: readonly string[] = [];

const refuses = ({ figures }: Trial) => figures.refused > 0;
const breaks = ({ failures }: Trial) => failures.length > 0;
const slows = (ms: number) => (trial: Trial) => trial.figures.slowestMs >= ms;
const missesRedis = ({ log }: Trial) => log.some((line) => line.includes('Redis is not available'));
const missesNode = ({ log }: Trial) => log.some((line) => line.includes('A Redis node is not available'));

/** Each way; a round trip takes twice that. */
const DELAY_MS = 100;

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
    // What it has begun it finishes, and answers.
    shows: (trial) => breaks(trial) && trial.after.untold.length === 0,
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
    shows: slows(2 * DELAY_MS),
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
    shows: slows(2 * DELAY_MS),
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
