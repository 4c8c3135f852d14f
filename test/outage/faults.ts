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
const UNANSWERED = ['unanswered'];

const refuses = ({ figures }: Trial) => figures.refused > 0;
const breaks = ({ figures }: Trial) => figures.unanswered > 0;

export const FAULTS: readonly Fault[] = [
  {
    name: 'SIGKILL of the service, restarted',
    ms: 500,
    begin: (stage) => stage.endService('SIGKILL'),
    end: (stage) => stage.restartService(),
    failures: UNANSWERED,
    shows: breaks,
  },
  {
    name: 'SIGKILL of Postgres, restarted',
    ms: 1_000,
    begin: (stage) => stage.killPostgres(),
    end: (stage) => stage.restartPostgres(),
    failures: DATABASE_ERROR,
    shows: refuses,
  },
];
