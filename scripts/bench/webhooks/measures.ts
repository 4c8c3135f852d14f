import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Stage } from '../automations/stage.ts';
import { generate } from '../load.ts';
import { type Started, usage } from '../processes.ts';
import type { Target } from '../service.ts';
import { type Caps, delaysOf, newEndpoint, queue, RECEIVABLE } from './deliveries.ts';
import { BenchReceiver } from './receiver.ts';

export interface Throughput {
  endpoints: number;
  /** Deliveries per second, from the first to the last. */
  rate: number;
  /** Megabytes of the process, at its peak. */
  memory: number;
}

export interface Hanging {
  /** Milliseconds from when deliveries to the others are due until they arrive; in turn. */
  without: number[];
  with: number[];
  ratio: number;
}

export interface Cap {
  asked: number;
  /** Per second, over all of the time, and the most within any second. */
  rate: number;
  most: number;
}

export interface Ingest {
  /** Events per second, in turn. */
  without: number[];
  with: number[];
  ratio: number;
  /** Deliveries per second meanwhile. */
  sent: number;
}

const ANSWER_MS = 50;
const AMPLE: Caps = { maxPerSecond: 1_000, maxConcurrent: 100 };

/** How many deliveries one process sends to receivers that answer in 50 ms. */
export async function measureThroughput(stage: Stage, endpoints: number, count: number): Promise<Throughput> {
  const store = await stage.newStore();
  await using receiver = await BenchReceiver.start(ANSWER_MS);
  for (let i = 0; i < endpoints; i += 1) {
    await queue(stage.sql, store, await newEndpoint(stage, store, receiver.url, AMPLE), count / endpoints);
  }
  return await besideWorkers(stage, 1, async ([worker]) => {
    await receiver.untilArrived(count);
    // Those before are sent while the process starts.
    const times = [...receiver.arrivals.values()].toSorted((a, b) => a - b).slice(count / 10);
    const seconds = ((times.at(-1) as number) - (times[0] as number)) / 1000;
    return { endpoints, rate: times.length / seconds, memory: usage((worker as Started).pid).memory };
  });
}

const [STEADY_RATE, TURNS, LEAD_S] = [20, 3, 2];

/** How late deliveries to nine endpoints arrive while a tenth answers, and while it hangs; in turn. */
export async function measureHanging(stage: Stage, seconds: number): Promise<Hanging> {
  await using receiver = await BenchReceiver.start(20);
  await using hanging = await BenchReceiver.start(undefined);
  return await besideWorkers(stage, 1, async () => {
    const turn = async (tenthUrl: string) => {
      const store = await stage.newStore();
      const others = await Promise.all(Array.from({ length: 9 }, () => newEndpoint(stage, store, receiver.url, AMPLE)));
      const tenth = await newEndpoint(stage, store, tenthUrl, AMPLE);
      const dueAt = sql`now() + interval '1 s' * (${LEAD_S}::int + n::float8 / ${STEADY_RATE}::int)`;
      const before = receiver.arrivals.size;
      const count = STEADY_RATE * seconds;
      for (const id of [...others, tenth]) await queue(stage.sql, store, id, count, dueAt);
      const expected = before + count * (tenthUrl === receiver.url ? 10 : 9);
      await receiver.untilArrived(expected);
      const delays = await delaysOf(stage.sql, store, others, receiver.arrivals);
      // What hangs is left to no later turn.
      await sql`update webhook_delivery set due_at = null where store_id = ${store.id}`.execute(stage.sql);
      await sleep(1_000);
      return percentile(delays, 0.99);
    };
    await turn(receiver.url);
    const result: Hanging = { without: [], with: [], ratio: 0 };
    for (let i = 0; i < TURNS; i += 1) {
      result.without.push(await turn(receiver.url));
      result.with.push(await turn(hanging.url));
    }
    result.ratio = sum(result.with) / sum(result.without);
    return result;
  });
}

/** How many deliveries an endpoint gets per second of two processes, with more of them waiting. */
export async function measureCap(stage: Stage, asked: number, seconds: number): Promise<Cap> {
  const store = await stage.newStore();
  await using receiver = await BenchReceiver.start(ANSWER_MS);
  return await besideWorkers(stage, 2, async () => {
    const caps = { maxPerSecond: asked, maxConcurrent: 100 };
    const endpointId = await newEndpoint(stage, store, receiver.url, caps);
    await queue(stage.sql, store, endpointId, asked * (seconds + 5));
    await receiver.untilArrived(asked * 2);
    const from = Date.now();
    await sleep(seconds * 1_000);
    const times = [...receiver.arrivals.values()].filter((at) => at > from && at <= from + seconds * 1_000);
    await sql`update webhook_delivery set due_at = null where store_id = ${store.id}`.execute(stage.sql);
    return { asked, rate: times.length / seconds, most: mostWithin(times, 1_000) };
  });
}

/** How many events are recorded without and with very many deliveries that wait. */
export async function measureIngest(stage: Stage, service: Target, queued: number, seconds: number): Promise<Ingest> {
  const store = await stage.newStore();
  await using receiver = await BenchReceiver.start(ANSWER_MS);
  const send = async (run: string, duration = seconds) => {
    await sql`checkpoint`.execute(stage.sql);
    const load = { scenario: 'single', connections: 128, url: service.url, key: store.key };
    return (await generate({ ...load, seconds: duration, run })).rate;
  };
  const endpointId = await newEndpoint(stage, store, receiver.url, { maxPerSecond: 50, maxConcurrent: 10 });
  const result: Ingest = { without: [], with: [], ratio: 0, sent: 0 };
  await send('warm-up', 5);
  result.without.push(await send('before-0'), await send('before-1'));
  await queue(stage.sql, store, endpointId, queued);
  // As autovacuum does after a while; statistics are right then.
  await sql`vacuum analyze webhook_delivery`.execute(stage.sql);
  const [start, before] = [performance.now(), receiver.requests];
  for (let i = 0; i < 4; i += 1) result.with.push(await send(`with-${i}`));
  result.sent = (receiver.requests - before) / ((performance.now() - start) / 1000);
  await sql`truncate webhook_delivery`.execute(stage.sql);
  result.without.push(await send('after-0'), await send('after-1'));
  result.ratio = sum(result.with) / sum(result.without);
  return result;
}

async function besideWorkers<Result>(
  stage: Stage,
  count: number,
  work: (workers: Started[]) => Promise<Result>,
): Promise<Result> {
  await sql`vacuum analyze`.execute(stage.sql);
  const workers = await stage.startWorkers(count, RECEIVABLE);
  try {
    return await work(workers);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

function mostWithin(times: readonly number[], ms: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  let [first, most] = [0, 0];
  for (const [last, at] of sorted.entries()) {
    while (at - (sorted[first] as number) >= ms) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
