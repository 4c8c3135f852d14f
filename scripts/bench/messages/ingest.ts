import { sql } from 'kysely';
import type { Stage, Store } from '../automations/stage.ts';
import { generate } from '../load.ts';
import { usage } from '../processes.ts';
import { LISTENING, startService, type Target } from '../service.ts';
import { newSender, newTemplate, queue, SENDABLE } from './mails.ts';
import type { Sink } from './sink.ts';

export interface Ingest {
  name: string;
  /** Events per second, in turn. */
  without: number[];
  with: number[];
  ratio: number;
  /** Messages per second meanwhile. */
  sent: number;
  /** Megabytes of the process, at its peak. */
  memory: number;
}

interface Load {
  redis: string;
  seconds: number;
  turns: number;
}

const WARM_UP = 6;

/** How many events are recorded by a process that sends at full speed, and while its sender rests, in turn. */
export async function measureSending(stage: Stage, sink: Sink, load: Load): Promise<Ingest> {
  return await withService(stage, load, {}, async (service) => {
    const store = await stage.newStore();
    const templateId = await newTemplate(service, store);
    const senderId = await newSender(stage, service, store, sink.port);
    const rest = (ms: number) =>
      sql`update sender set resting_until = now() + make_interval(secs => ${ms / 1_000})
        where store_id = ${store.id}`.execute(stage.sql);
    const result: Ingest = { name: 'sending at full speed', without: [], with: [], ratio: 0, sent: 0, memory: 0 };
    await rest(3_600_000);
    await queue(stage.sql, store, { senderId, templateId, count: Math.ceil(load.seconds * load.turns * 2_500) });
    await sql`vacuum analyze`.execute(stage.sql);
    await record(stage, service, store, 'warm-up', WARM_UP);
    let during = 0;
    for (let turn = 0; turn < load.turns; turn += 1) {
      result.without.push(await record(stage, service, store, `rests-${turn}`, load.seconds));
      await rest(0);
      await sink.untilArrived(sink.arrivals.size + 200);
      const before = sink.arrivals.size;
      result.with.push(await record(stage, service, store, `sends-${turn}`, load.seconds));
      during += sink.arrivals.size - before;
      await rest(3_600_000);
    }
    result.sent = during / (load.seconds * load.turns);
    return finish(result, service);
  });
}

/** The same by processes that look for messages and find none, and by those that leave messages to others, in turn. */
export async function measureIdle(stage: Stage, load: Load): Promise<Ingest> {
  const store = await stage.newStore();
  const result: Ingest = { name: 'nothing to send', without: [], with: [], ratio: 0, sent: 0, memory: 0 };
  for (let turn = 0; turn < load.turns; turn += 1) {
    for (const [kind, concurrency] of [
      ['without', '0'],
      ['with', '256'],
    ] as const) {
      await withService(stage, load, { MESSAGE_CONCURRENCY: concurrency }, async (service) => {
        await record(stage, service, store, `warm-up-${kind}-${turn}`, WARM_UP);
        result[kind].push(await record(stage, service, store, `${kind}-${turn}`, load.seconds));
        if (kind === 'with') result.memory = Math.max(result.memory, usage(service.process.pid).memory);
      });
    }
  }
  result.ratio = sum(result.with) / sum(result.without);
  return result;
}

async function record(stage: Stage, service: Target, { key }: Store, run: string, seconds: number): Promise<number> {
  await sql`checkpoint`.execute(stage.sql);
  const { rate } = await generate({ scenario: 'single', connections: 128, url: service.url, key, seconds, run });
  return rate;
}

function finish(result: Ingest, service: Target): Ingest {
  result.ratio = sum(result.with) / sum(result.without);
  result.memory = usage(service.process.pid).memory;
  return result;
}

async function withService<Result>(
  stage: Stage,
  { redis }: Load,
  settings: NodeJS.ProcessEnv,
  work: (service: Target) => Promise<Result>,
): Promise<Result> {
  const env = { ...SENDABLE, WORKERS: '1', ...settings };
  const service = await startService(stage.database.url, redis, { ready: LISTENING, settings: env });
  try {
    return await work(service);
  } finally {
    await service.process.stop();
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
