import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../src/db/orm.ts';
import type { CountMetric } from '../../../src/domain/automations/stored/counts.ts';
import { type Started, usage } from '../processes.ts';
import { scenarios } from '../scenarios.ts';
import type { Target } from '../service.ts';
import { STEPS, starting, WORKING } from './definitions.ts';
import type { Stage, Store } from './stage.ts';
import { seedRuns } from './waiting.ts';

export interface Rate {
  name: string;
  processes: number;
  items: number;
  /** Per second, from the first to the last that was seen. */
  rate: number;
  /** CPU milliseconds per item, of the workers and of Postgres. */
  cpu: number;
  databaseCpu: number;
  /** Resident megabytes of the largest worker, at its peak. */
  memory: number;
}

/** Events that all start a run wait to be read. `service` does no work on automations. */
export async function measureStarts(stage: Stage, service: Target, processes: number, events: number): Promise<Rate> {
  const store = await stage.newStore();
  await stage.publish(store, starting('placed_order'));
  const items = await sendFresh(service.url, store, events);
  return await measure(stage, { name: 'starts', processes, items, done: counted(store, 'entered', '', 1) });
}

/** Sends events in bulk, each of a customer of its own, and returns how many there were. */
async function sendFresh(url: string, { key }: Store, events: number): Promise<number> {
  const { fresh } = scenarios(key);
  if (!fresh) throw new Error('There is no such scenario');
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const requests = Math.ceil(events / fresh.items);
  for (let n = 0; n < requests; n += 1) {
    const body = JSON.stringify(fresh.body(n));
    const { status } = await fetch(url + fresh.path, { method: 'POST', headers, body });
    if (status !== fresh.status) throw new Error(`A request for a backlog got ${status}`);
  }
  return requests * fresh.items;
}

/** Runs wait to be taken further that are due, each by some steps. */
export async function measureSteps(stage: Stage, processes: number, runs: number): Promise<Rate> {
  const store = await stage.newStore();
  const automationId = await stage.publish(store, WORKING);
  await seedProfiles(stage.sql, store, runs);
  await seedRuns(stage.sql, store, automationId, {
    count: runs,
    stepId: 'branch',
    dueAt: sql`now()`,
    profiles: true,
  });
  await sql`vacuum analyze`.execute(stage.sql);
  const items = runs * STEPS.length;
  return await measure(stage, { name: 'steps', processes, items, done: counted(store, 'at', 'month', STEPS.length) });
}

interface Backlog {
  name: string;
  processes: number;
  items: number;
  done: RawBuilder<{ n: number }>;
}

/** What the service has counted, each as so many. */
function counted({ id }: Store, metric: CountMetric, name: string, each: number): RawBuilder<{ n: number }> {
  return sql`
    select coalesce(sum(count) * ${sql.lit(each)}, 0)::int as n
    from (
      select count from automation_count where store_id = ${id} and metric = ${metric} and name = ${name}
      union all
      select count from automation_count_new where store_id = ${id} and metric = ${metric} and name = ${name}
    ) as counts`;
}

/** Has workers do what there is to do, and watches them. */
async function measure(stage: Stage, { name, processes, items, done: counts }: Backlog): Promise<Rate> {
  const count = async () => (await counts.execute(stage.sql)).rows[0]?.n ?? 0;
  await sql`checkpoint`.execute(stage.sql);
  const workers = await stage.startWorkers(processes);
  try {
    let done = await count();
    while (done === 0) {
      await sleep(20);
      done = await count();
    }
    const [first, start, before] = [done, performance.now(), await cpuOf(stage, workers)];
    const patience = start + 120_000;
    while (done < items && performance.now() < patience) {
      await sleep(100);
      done = await count();
      if (process.env.SHOW) console.log(Math.round(performance.now() - start), done, items);
    }
    const elapsed = (performance.now() - start) / 1000;
    const after = await cpuOf(stage, workers);
    if (done < items) throw new Error(`${name}: ${done} of ${items} were done`);
    const per = (from: number, to: number) => ((to - from) * 1000) / (items - first);
    return {
      name,
      processes,
      items: items - first,
      rate: (items - first) / elapsed,
      cpu: per(before.workers, after.workers),
      databaseCpu: per(before.database, after.database),
      memory: Math.max(...workers.map(({ pid }) => usage(pid).memory)),
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

async function cpuOf(stage: Stage, workers: readonly Started[]): Promise<{ workers: number; database: number }> {
  return {
    workers: workers.reduce((sum, { pid }) => sum + usage(pid).cpu, 0),
    database: await stage.databaseCpu(),
  };
}

async function seedProfiles(db: Sql, { id }: Store, count: number): Promise<void> {
  await sql`
    insert into profile (store_id, id, email, attributes, created_at, updated_at)
    select ${id}::uuid, uuidv7(), format('run-%s-%s@example.com', ${id}::text, n),
      '{"first_name": "Ada", "loyalty_tier": "gold", "orders": 7}', now(), now()
    from generate_series(1, ${count}::int) n`.execute(db);
}
