import type { Reentry } from '../../../../src/domain/automations/core/definition/definition.ts';
import type { CustomerEvent } from '../../../../src/domain/conditions/subject.ts';
import { durationMs } from '../../../../src/domain/time/duration.ts';

/** An automation of a delay and some waits, each of which leads to the next step whatever happens; then an action. */
export interface Plan {
  reentry: Reentry;
  delay: string;
  /** Timeouts. */
  waits: string[];
}

export interface Expected {
  key: string;
  startedAt: number;
  endedAt: number;
  reason: string;
  /** The events that the waits waited for; null where one timed out. */
  used: (string | null)[];
}

const SKEW = 5 * 60_000;

/**
 * What becomes of one customer, found from all that they did, at each start anew. Runs start by `started`, wait for
 * `ordered`, exit on `left`, all with the same `key`. Nothing happens just when something is due.
 */
export function expectedRuns({ reentry, delay, waits }: Plan, events: readonly CustomerEvent[]): Expected[] {
  const runs: Expected[] = [];
  const interval = durationMs(reentry.min_interval ?? 'P0D');
  for (const [i, event] of events.entries()) {
    if (event.eventType !== 'started') continue;
    const key = String(event.properties.key);
    const before = runs.filter((run) => reentry.per === 'profile' || run.key === key);
    const under = before.filter(({ endedAt }) => endedAt > event.receivedAt);
    if (reentry.mode === 'once' && before.length > 0) continue;
    if (reentry.mode === 'one_at_a_time' && under.length > 0) continue;
    if (before.some(({ startedAt }) => event.receivedAt < startedAt + interval)) continue;
    if (reentry.mode === 'restart') {
      for (const run of under) Object.assign(run, { endedAt: event.receivedAt, reason: 'restarted' });
    }
    runs.push(runOf(i));
  }
  return runs;

  function runOf(i: number): Expected {
    const trigger = events[i] as CustomerEvent;
    const key = String(trigger.properties.key);
    const isLater = (one: CustomerEvent) => events.indexOf(one) > i;
    const isRelevant = (one: CustomerEvent) =>
      String(one.properties.key) === key &&
      (one.occurredAt > trigger.occurredAt || (isLater(one) && one.occurredAt >= trigger.occurredAt - SKEW));
    const relevant = events.filter(isRelevant);
    const left = relevant.find((one) => one.eventType === 'left' && isLater(one));
    const startedAt = trigger.receivedAt;
    // Whoever had left when the trigger arrived ends as soon as the run goes on.
    if (relevant.some((one) => one.eventType === 'left' && !isLater(one))) {
      return { key, startedAt, endedAt: startedAt, reason: 'exit_event', used: [] };
    }
    const used: (string | null)[] = [];
    let now = trigger.receivedAt + durationMs(delay);
    for (const timeout of waits) {
      if (left && left.receivedAt < now) break;
      const free = relevant.filter((one) => one.eventType === 'ordered' && !used.includes(one.id));
      const found = free[0];
      const end = found ? Math.max(now, found.receivedAt) : Number.POSITIVE_INFINITY;
      const isInTime = found !== undefined && end < now + durationMs(timeout);
      now = isInTime ? end : now + durationMs(timeout);
      if (left && left.receivedAt < now) break;
      used.push(isInTime ? found.id : null);
    }
    const isLeft = left !== undefined && left.receivedAt < now;
    const endedAt = isLeft ? left.receivedAt : now;
    return { key, startedAt, endedAt, reason: isLeft ? 'exit_event' : 'completed', used };
  }
}
