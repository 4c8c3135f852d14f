import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { uuids } from '../../../src/db/binary-arrays.ts';
import { type FormerCondition, inTodaysForm } from '../../../src/domain/conditions/former.ts';
import { type Evaluable, evaluate } from '../../../src/domain/segments/evaluate.ts';
import { type Delays, sendSteadily, toDelays } from '../automations/delays.ts';
import type { Stage, Store } from '../automations/stage.ts';
import { generate } from '../load.ts';
import type { Target } from '../service.ts';
import { SENT_TYPE } from './definitions.ts';

/** Customers of one statement, as the engine evaluates them. */
const BATCH = 1_000;

async function request<Body>(
  { url }: Target,
  { key }: Store,
  method: string,
  path: string,
  body?: object,
): Promise<Body> {
  const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) };
  const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} got ${response.status}: ${text}`);
  return (text && JSON.parse(text)) as Body;
}

/** Creates segments, and returns their ids and the seconds until the members of all serve. */
export async function build(
  stage: Stage,
  service: Target,
  store: Store,
  definitions: readonly FormerCondition[],
): Promise<{ ids: string[]; seconds: number }> {
  const start = performance.now();
  const ids: string[] = [];
  for (const definition of definitions) {
    const segment = { name: 'Bench', definition };
    ids.push((await request<{ id: string }>(service, store, 'POST', '/v1/segments', segment)).id);
  }
  for (;;) {
    const { rows } = await sql<{ isDone: boolean; failure: string | null }>`
      select bool_and(generation > 0) as "isDone", max(failure) as failure
      from segment where store_id = ${store.id} and id = any(${uuids(ids)}::uuid[])`.execute(stage.sql);
    if (rows[0]?.failure) throw new Error(rows[0].failure);
    if (rows[0]?.isDone) return { ids, seconds: (performance.now() - start) / 1000 };
    await sleep(50);
  }
}

export interface Evaluations {
  segments: number;
  profiles: number;
  /** Per second of the database's time, which works on one core, and per second of all. */
  perCoreSecond: number;
  perSecond: number;
}

/** Evaluates all definitions for customers drawn at random. */
export async function measureEvaluation(
  stage: Stage,
  store: Store,
  definitions: readonly FormerCondition[],
  batches: number,
): Promise<Evaluations> {
  const all = definitions.map((given, n): Evaluable => ({ key: String(n), definition: inTodaysForm(given) }));
  const evaluateBatch = async () => {
    const { rows } = await sql<{ id: string }>`
      select id from profile tablesample bernoulli (${sample}::float8)
      where store_id = ${store.id} limit ${BATCH}`.execute(stage.sql);
    const ids = rows.map(({ id }) => id);
    const [start, cpu] = [performance.now(), await stage.databaseCpu()];
    const place = { storeId: store.id, now: Date.now(), left: () => Number.POSITIVE_INFINITY };
    await stage.sql.transaction().execute((tx) => evaluate(tx, all, ids, place));
    return {
      profiles: ids.length,
      seconds: (performance.now() - start) / 1000,
      cpu: (await stage.databaseCpu()) - cpu,
    };
  };
  const sample = Math.min(100, (BATCH * 150) / (await stage.database.count('profile')));
  await evaluateBatch();
  const results: Awaited<ReturnType<typeof evaluateBatch>>[] = [];
  for (let n = 0; n < batches; n += 1) results.push(await evaluateBatch());
  const sum = (figure: 'profiles' | 'seconds' | 'cpu') => results.reduce((total, one) => total + one[figure], 0);
  return {
    segments: definitions.length,
    profiles: sum('profiles'),
    perCoreSecond: sum('profiles') / sum('cpu'),
    perSecond: sum('profiles') / sum('seconds'),
  };
}

/** From the response to an event until the change that it leads to is committed, at a steady rate. */
export async function measureChanges(
  stage: Stage,
  service: Target,
  store: Store,
  { segmentId, rate, seconds }: { segmentId: string; rate: number; seconds: number },
): Promise<Delays> {
  await sendSteadily(service.url, store, 'warm', SENT_TYPE, { rate: rate / 5, seconds: 5 });
  await stage.untilIdle(store);
  const responses = await sendSteadily(service.url, store, 'steady', SENT_TYPE, { rate, seconds });
  await stage.untilIdle(store);
  const { rows } = await sql<{ event: string; at: number }>`
    select e.id as event, (extract(epoch from pg_xact_commit_timestamp(c.xmin)) * 1000)::float8 as at
    from segment_change c
    join event e on e.store_id = c.store_id and e.profile_id = c.profile_id
    where c.store_id = ${store.id} and c.segment_id = ${segmentId} and c.cause = 'event'`.execute(stage.sql);
  const delays = rows.flatMap(({ event, at }) => {
    const respondedAt = responses.get(event);
    return respondedAt === undefined ? [] : [Math.max(0, at - respondedAt)];
  });
  if (delays.length !== responses.size) throw new Error(`${responses.size} events led to ${delays.length} changes`);
  return toDelays(`event to change, ${rate}/s`, delays);
}

/** How late customers leave a segment as time passes, of whom so many are to leave per second. */
export async function measureTime(
  stage: Stage,
  service: Target,
  store: Store,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Delays> {
  const kept = WINDOW_SECONDS * 1000;
  const definition: FormerCondition = { event: { type: SHORT_LIVED, window: { last: `${WINDOW_SECONDS}s` } } };
  const [id] = (await build(stage, service, store, [definition])).ids as [string];
  const responses = await sendSteadily(service.url, store, 'short', SHORT_LIVED, { rate, seconds });
  await sleep(kept);
  const patience = performance.now() + 300_000;
  for (;;) {
    const { rows } = await sql<{ late: number }>`
      select (extract(epoch from pg_xact_commit_timestamp(c.xmin) - e.occurred_at) * 1000)::float8 - ${kept}::float8 as late
      from segment_change c
      join event e on e.store_id = c.store_id and e.profile_id = c.profile_id
      where c.store_id = ${store.id} and c.segment_id = ${id} and c.kind = 'left'`.execute(stage.sql);
    if (rows.length === responses.size)
      return toDelays(
        `passage of time, ${rate}/s`,
        rows.map(({ late }) => late),
      );
    if (performance.now() > patience) throw new Error(`${responses.size} were to leave, and ${rows.length} did`);
    await sleep(500);
  }
}

const SHORT_LIVED = 'short_lived';
const WINDOW_SECONDS = 30;

export interface Flood {
  name: string;
  /** Events per second, to a store without segments and to that with all, in turn. */
  without: number[];
  with: number[];
  ratio: number;
  /** Seconds after each load until its members were those of all events. */
  behind: number[];
}

const LOADS = [
  { name: 'single events', scenario: 'visit', connections: 128 },
  { name: 'bulk of 1,000 events', scenario: 'visits', connections: 8 },
];

/** Sends as much as the service takes. */
export async function measureFloods(
  stage: Stage,
  service: Target,
  store: Store,
  { seconds, turns }: { seconds: number; turns: number },
): Promise<Flood[]> {
  const idle = await stage.newStore();
  const floods: Flood[] = [];
  for (const load of LOADS) {
    const flood: Flood = { name: load.name, without: [], with: [], ratio: 0, behind: [] };
    const send = async ({ key }: Store, run: string, duration: number) => {
      await sql`checkpoint`.execute(stage.sql);
      const { rate } = await generate({
        ...load,
        url: service.url,
        key,
        seconds: duration,
        run: `${load.scenario}${run}`,
      });
      return rate;
    };
    for (const one of [idle, store]) await send(one, 'warm-up', 2);
    for (let turn = 0; turn < turns; turn += 1) {
      flood.without.push(await send(idle, String(turn), seconds));
      flood.with.push(await send(store, String(turn), seconds));
      const start = performance.now();
      await stage.untilIdle(store);
      flood.behind.push((performance.now() - start) / 1000);
    }
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
    floods.push({ ...flood, ratio: sum(flood.with) / sum(flood.without) });
  }
  return floods;
}

/** Times requests one after another. */
async function time(name: string, count: number, send: () => Promise<unknown>): Promise<Delays> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const start = performance.now();
    await send();
    times.push(performance.now() - start);
  }
  return toDelays(name, times);
}

export async function measurePreviews(
  service: Target,
  store: Store,
  definitions: readonly FormerCondition[],
): Promise<Delays> {
  let n = 0;
  return await time('preview', definitions.length, () =>
    request(service, store, 'POST', '/v1/segments/preview', { definition: definitions[n++] }),
  );
}

export async function measureMemberPages(
  service: Target,
  store: Store,
  segmentId: string,
  pages: number,
): Promise<Delays> {
  let cursor = '';
  return await time('page of 100 members', pages, async () => {
    const path = `/v1/segments/${segmentId}/members?limit=100${cursor && `&cursor=${cursor}`}`;
    const { next_cursor: next } = await request<{ next_cursor: string | null }>(service, store, 'GET', path);
    cursor = next ?? '';
  });
}
