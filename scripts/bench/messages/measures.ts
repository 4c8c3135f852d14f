import { sql } from 'kysely';
import { type Delays, sendSteadily, toDelays } from '../automations/delays.ts';
import type { Stage } from '../automations/stage.ts';
import { type Started, usage } from '../processes.ts';
import type { Target } from '../service.ts';
import { newSender, newTemplate, queue, SENDABLE } from './mails.ts';
import type { Sink } from './sink.ts';

export interface Throughput {
  name: string;
  /** Messages per second, from the first to the last. */
  rate: number;
  /** CPU milliseconds per message, of the process and of Postgres. */
  cpu: number;
  databaseCpu: number;
  /** Megabytes of the process, at its peak. */
  memory: number;
}

/** How many messages one process renders and hands over. */
export async function measureThroughput(
  stage: Stage,
  service: Target,
  sink: Sink,
  { name, count, more }: { name: string; count: number; more?: object },
): Promise<Throughput> {
  const store = await stage.newStore();
  const templateId = await newTemplate(service, store);
  const senderId = await newSender(stage, service, store, sink.port, more);
  await queue(stage.sql, store, { senderId, templateId, count });
  await sql`vacuum analyze`.execute(stage.sql);
  const before = sink.arrivals.size;
  const [worker] = (await stage.startWorkers(1, SENDABLE)) as [Started];
  try {
    // Those before are sent while the process starts.
    const first = Math.ceil(count / 5);
    await sink.untilArrived(before + first);
    const [cpu, databaseCpu] = [usage(worker.pid).cpu, await stage.databaseCpu()];
    await sink.untilArrived(before + count);
    const times = [...sink.arrivals.values()].slice(before + first);
    const seconds = ((times.at(-1) as number) - (times[0] as number)) / 1_000;
    const each = (total: number) => (total * 1_000) / times.length;
    return {
      name,
      rate: times.length / seconds,
      cpu: each(usage(worker.pid).cpu - cpu),
      databaseCpu: each((await stage.databaseCpu()) - databaseCpu),
      memory: usage(worker.pid).memory,
    };
  } finally {
    await worker.stop();
  }
}

/** Seconds of events before those that are measured. */
const WARM_UP = 5;

/** From the response to an event until the relay has the message of the run that it starts, at a steady rate. */
export async function measureDelays(
  stage: Stage,
  service: Target,
  sink: Sink,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Delays> {
  const store = await stage.newStore();
  const template_id = await newTemplate(service, store, 'transactional');
  const sender_id = await newSender(stage, service, store, sink.port);
  await stage.publish(store, {
    name: 'Writes',
    trigger: { type: 'event', event_type: 'order_delivered' },
    start: 'mail',
    steps: [{ id: 'mail', type: 'send_email', template_id, sender_id, next: null }],
  });
  const profileOf = (name: string) => ({ email: `${name}@example.com` });
  const send = (name: string, during: number) =>
    sendSteadily(service.url, store, name, 'order_delivered', { rate, seconds: during, profileOf });
  const before = sink.arrivals.size;
  const warm = await send('warm', WARM_UP);
  await sink.untilArrived(before + warm.size);
  const responses = await send('steady', seconds);
  await sink.untilArrived(before + warm.size + responses.size);
  const { rows } = await sql<{ event: string; message: string }>`
    select r.trigger_id as event, m.id as message
    from message m
    join automation_run r on r.store_id = m.store_id and r.id = m.run_id
    where m.store_id = ${store.id}`.execute(stage.sql);
  const delays = rows.flatMap(({ event, message }) => {
    const respondedAt = responses.get(event);
    return respondedAt === undefined ? [] : [Math.max(0, (sink.arrivals.get(message) as number) - respondedAt)];
  });
  return toDelays(`event to relay, ${rate}/s`, delays);
}
