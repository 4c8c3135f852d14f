import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Target } from '../service.ts';
import { ENDING, starting } from './definitions.ts';
import type { Stage, Store } from './stage.ts';
import { seedRuns } from './waiting.ts';

/** Milliseconds. */
export interface Delays {
  name: string;
  items: number;
  p50: number;
  p99: number;
  slowest: number;
}

/** So many per second. */
export interface Steady {
  rate: number;
  seconds: number;
}

/** Seconds of events before those that are measured. */
const WARM_UP = 5;
/** Seconds before runs are due, for the tables to be ready. */
const LEAD = 5;

/** From the response to an event until the run that it starts is committed, at a steady rate. */
export async function measureStartDelays(stage: Stage, service: Target, { rate, seconds }: Steady): Promise<Delays> {
  const store = await stage.newStore();
  await stage.publish(store, starting('visit'));
  // The thread starts with the first automation, and its code has to be warm.
  await sendSteadily(service.url, store, 'warm', 'visit', { rate: rate / 5, seconds: WARM_UP });
  await stage.untilIdle(store);
  const responses = await sendSteadily(service.url, store, 'steady', 'visit', { rate, seconds });
  await stage.untilIdle(store);
  // The entry of its start is never changed, so that its transaction is the one that started the run.
  const { rows } = await sql<{ event: string; at: number }>`
    select r.trigger_id as event, (extract(epoch from pg_xact_commit_timestamp(s.xmin)) * 1000)::float8 as at
    from automation_run r
    join automation_step s on s.store_id = r.store_id and s.run_id = r.id and s.seq = 1
    where r.store_id = ${store.id}`.execute(stage.sql);
  const delays = rows.flatMap(({ event, at }) => {
    const respondedAt = responses.get(event);
    return respondedAt === undefined ? [] : [Math.max(0, at - respondedAt)];
  });
  if (delays.length !== responses.size) throw new Error(`${responses.size} events started ${delays.length} runs`);
  return toDelays(`event to run, ${rate}/s`, delays);
}

/** How late the steps of runs are committed that are due one after the other, while others wait. */
export async function measureLateness(
  stage: Stage,
  { rate, seconds, waiting }: Steady & { waiting: number },
): Promise<Delays> {
  const store = await stage.newStore();
  const automationId = await stage.publish(store, ENDING);
  if (waiting > 0) {
    const other = await stage.publish(store, ENDING);
    const dueAt = sql`now() + interval '1 day' + n * interval '1 ms'`;
    for (const id of [automationId, other]) {
      await seedRuns(stage.sql, store, id, { count: Math.ceil(waiting / 2), stepId: 'hour', dueAt });
    }
    await sql`vacuum analyze automation_run`.execute(stage.sql);
  }
  const count = rate * seconds;
  const dueAt = sql`now() + interval '1 s' * (${LEAD}::int + n::float8 / ${rate}::int)`;
  await seedRuns(stage.sql, store, automationId, { count, stepId: 'hour', dueAt });
  const patience = performance.now() + (LEAD + seconds) * 3_000 + 30_000;
  const left = async () => {
    const { rows } = await sql<{ left: boolean }>`
      select exists (
        select from automation_run
        where store_id = ${store.id} and automation_id = ${automationId} and status = 'active'
          and due_at < now() + interval '1 hour'
      ) as left`.execute(stage.sql);
    return rows[0]?.left;
  };
  while (await left()) {
    if (performance.now() > patience) throw new Error('Runs that are due were not taken');
    await sleep(500);
  }
  // Each was due an hour after its start.
  const { rows } = await sql<{ late: number }>`
    select (extract(epoch from pg_xact_commit_timestamp(xmin) - started_at - interval '1 hour') * 1000)::float8 as late
    from automation_run
    where store_id = ${store.id} and automation_id = ${automationId} and status = 'ended'`.execute(stage.sql);
  return toDelays(
    `timers, ${rate}/s, ${waiting.toLocaleString('en')} others waiting`,
    rows.map(({ late }) => late),
  );
}

/** Sends events of customers who all are new at a steady rate; returns when each was responded to, by its id. */
export async function sendSteadily(
  url: string,
  { key }: Store,
  name: string,
  eventType: string,
  { rate, seconds, profileOf = (id) => ({ external_id: id }) }: Steady & { profileOf?: (id: string) => object },
): Promise<Map<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const responses = new Map<string, number>();
  const send = async (n: number) => {
    const request = httpRequest(`${url}/v1/events`, { method: 'POST', agent, headers });
    request.end(JSON.stringify({ event_type: eventType, profile: profileOf(`${name}${n}`) }));
    const [response] = await once(request, 'response');
    const at = Date.now();
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    if (response.statusCode !== 201) throw new Error(`An event got ${response.statusCode}`);
    responses.set(JSON.parse(String(Buffer.concat(chunks))).id, at);
  };
  const sent: Promise<void>[] = [];
  const start = performance.now();
  for (let n = 0; n < rate * seconds; n += 1) {
    const due = start + (n / rate) * 1000;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    sent.push(send(n));
  }
  await Promise.all(sent);
  agent.destroy();
  return responses;
}

export function toDelays(name: string, values: number[]): Delays {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { name, items: sorted.length, p50: at(0.5), p99: at(0.99), slowest: sorted.at(-1) ?? Number.NaN };
}
