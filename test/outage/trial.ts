import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/process.ts';
import { type Audit, audit, orphans, unfinishedJobs } from './audit.ts';
import { auditRuns, auditWebhooks, endLeases, haveRunsEnded } from './automation.ts';
import type { Fault, Seen } from './faults.ts';
import type { Figures } from './figures.ts';
import { KINDS } from './kinds.ts';
import type { Stage } from './stage.ts';
import { type Attempt, isWorthRepeating, Writers } from './writers.ts';

/** What was seen of a fault. */
export interface Trial {
  figures: Figures;
  /** What failures there were from its beginning on, each once. */
  failures: string[];
  /** What the service has logged from its beginning on. */
  log: readonly string[];
  /** What the database held when all had calmed down, and once what had failed was sent again. */
  after: Audit;
  repeated: Audit;
  /** What it held then of requests that got no answer at all, not even a refusal. */
  unanswered: string[];
  /** Requests that failed again although all had calmed down. */
  failedAgain: number;
  orphans: unknown[];
  /** Events that automations have not dealt with exactly once. */
  misruns: unknown[];
  /** Runs whose webhook has not arrived with one id and one body. */
  unsent: unknown[];
}

/** Without a failure for so long, in milliseconds, it has calmed down. */
const CALM_MS = 1_000;

/**
 * Has a fault happen under load, for some milliseconds and until it shows, and waits until the service has recovered.
 */
export async function tryFault(stage: Stage, fault: Fault, ms: number): Promise<Trial> {
  const { storeId, key } = await stage.newStore();
  const writers = new Writers(await stage.runServices(fault.processes ?? 1), key);
  try {
    await until(() => isCalm(writers, 0) && writers.inFlight.size > 0, 'the load is on');
    const date = new Date();
    const inFlight = writers.inFlight.size;
    const beganAt = performance.now();
    await fault.begin(stage);
    const begunAt = performance.now();
    const look = () => lookAt(writers, beganAt, begunAt, stage.logSince(date));
    const shown = () => until(() => fault.shows(look()), 'the fault shows');
    try {
      await sleep(ms);
      if (!fault.showsLater) await shown();
    } finally {
      await fault.end(stage);
    }
    const endedAt = performance.now();
    if (fault.showsLater) await shown();
    await until(
      async () => isCalm(writers, endedAt) && (await stage.isReady()),
      'every kind of request is acknowledged again, and the service ready',
    );
    await writers.stop();
    await jobsComplete(stage, storeId);

    const after = await audit(stage.database, storeId, writers.attempts);
    const { attempts: seen, longestMs: slowestMs, log } = look();
    const failed = seen.filter(({ outcome }) => outcome !== 'acknowledged');
    const recoveredAt = Math.max(...failed.map(({ answeredAt }) => answeredAt), ...firstAcknowledged(writers, endedAt));
    const figures = {
      fault: fault.name,
      inFlight,
      acknowledged: writers.attempts.length - writers.failures.length,
      refused: failed.filter(({ outcome }) => /^\d/.test(outcome)).length,
      unanswered: failed.filter(({ outcome }) => outcome === 'unanswered').length,
      lost: after.lost.length,
      doubled: after.doubled.length,
      slowestMs,
      recoveryMs: Math.max(0, recoveredAt - endedAt),
    };
    const isUnanswered = ({ outcome, mark }: Attempt) => outcome === 'unanswered' && after.untold.includes(mark);
    const unanswered = failed.filter(isUnanswered).map(({ mark }) => mark);
    const failures = [...new Set(failed.map(({ outcome }) => outcome))];

    await writers.repeatFailures();
    await jobsComplete(stage, storeId);
    const goOn = setInterval(() => void endLeases(stage.database, storeId), 1_000);
    await until(() => haveRunsEnded(stage.database, storeId), 'all runs have ended').finally(() => clearInterval(goOn));
    return {
      figures,
      failures,
      log,
      after,
      unanswered,
      repeated: await audit(stage.database, storeId, writers.attempts),
      failedAgain: writers.failures.filter(isWorthRepeating).length,
      orphans: await orphans(stage.database, storeId),
      misruns: await auditRuns(stage.database, storeId),
      unsent: await auditWebhooks(stage.database, storeId, stage.receiver.received),
    };
  } finally {
    await writers.stop();
  }
}

/** What is seen of a fault that began between two moments. */
function lookAt({ attempts, inFlight }: Writers, beganAt: number, begunAt: number, log: readonly string[]): Seen {
  const seen = attempts.filter(({ answeredAt }) => answeredAt >= beganAt);
  const answered = seen.map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  const waiting = Array.from(inFlight, ({ sentAt }) => performance.now() - sentAt);
  return {
    attempts: seen,
    within: seen.filter(({ sentAt }) => sentAt >= begunAt),
    longestMs: Math.max(0, ...answered, ...waiting),
    log,
  };
}

async function jobsComplete(stage: Stage, storeId: string): Promise<void> {
  const areComplete = async () => (await unfinishedJobs(stage.database, storeId)).length === 0;
  // One connection after the other may turn out to be dead, each after the time for a statement.
  await until(areComplete, 'the bulk jobs are complete');
}

/** Whether requests of every kind were acknowledged that were sent since a moment, and none has failed for a while. */
function isCalm(writers: Writers, since: number): boolean {
  const lastFailure = writers.failures.at(-1)?.answeredAt ?? Number.NEGATIVE_INFINITY;
  return firstAcknowledged(writers, since).length === KINDS.length && performance.now() - lastFailure > CALM_MS;
}

/** When a request of each kind that was sent since a moment was first acknowledged. */
function firstAcknowledged({ attempts }: Writers, since: number): number[] {
  const acknowledged = attempts.filter(({ outcome, sentAt }) => outcome === 'acknowledged' && sentAt >= since);
  return KINDS.flatMap((kind) => acknowledged.find((attempt) => attempt.kind === kind)?.answeredAt ?? []);
}
