import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Stage, Store } from '../automations/stage.ts';
import { generate } from '../load.ts';
import type { Target } from '../service.ts';

/** What is under way in the background, by its table. */
export type Work = 'profile_merge' | 'erasure';

export interface Beside {
  work: Work;
  /** Events of another store per second, and milliseconds, while it rests and while it is under way; in turn. */
  without: Turn[];
  with: Turn[];
  ratio: { rate: number; p99: number };
  /** Milliseconds until the request was answered. */
  answered: number;
  /** Rows of the customer that it got through, per second, beside the events of the other store. */
  pace: number;
  /** The rest, with nothing else to do: rows of the customer, seconds, and those of Postgres's CPU. */
  alone: { rows: number; seconds: number; cpu: number };
}

interface Turn {
  rate: number;
  p99: number;
}

interface Options {
  stage: Stage;
  service: Target;
  /** Whose customer it is about, and the other one. */
  store: Store;
  other: Store;
  seconds: number;
  turns: number;
}

/** Asks for something and measures what it costs the events of another store until it is over. */
export async function measureBeside(work: Work, ask: () => Promise<unknown>, options: Options): Promise<Beside> {
  const { stage, seconds, turns } = options;
  const began = performance.now();
  await ask();
  const answered = performance.now() - began;
  await rest(options, work);
  const result: Beside = {
    ...{ work, without: [], with: [], ratio: { rate: 0, p99: 0 }, answered, pace: 0 },
    alone: { rows: 0, seconds: 0, cpu: 0 },
  };
  const before = await sweptRows(options, work);
  for (let turn = 0; turn < turns; turn += 1) {
    result.without.push(await record(options, `${work}-without-${turn}`, seconds));
    await goOn(options, work);
    result.with.push(await record(options, `${work}-with-${turn}`, seconds));
    if (await isOver(options, work)) throw new Error('All is done before the turns are over: it takes more events');
    await rest(options, work);
  }
  const beside = await sweptRows(options, work);
  result.pace = (beside - before) / (turns * seconds);
  const sum = (kind: 'without' | 'with', what: keyof Turn) =>
    result[kind].reduce((total, turn) => total + turn[what], 0);
  result.ratio = {
    rate: sum('with', 'rate') / sum('without', 'rate'),
    p99: sum('with', 'p99') / sum('without', 'p99'),
  };

  const [start, used] = [performance.now(), await stage.databaseCpu()];
  await goOn(options, work);
  while (!(await isOver(options, work))) await sleep(100);
  const rows = (await sweptRows(options, work)) - beside;
  const cpu = (await stage.databaseCpu()) - used;
  result.alone = { rows, seconds: (performance.now() - start) / 1_000, cpu };
  return result;
}

/** Records events of the other store at full speed. */
export async function record({ stage, service, other }: Options, run: string, seconds: number): Promise<Turn> {
  await sql`checkpoint`.execute(stage.sql);
  const load = { scenario: 'single', connections: 128, url: service.url, key: other.key };
  const { rate, p99 } = await generate({ ...load, seconds, run });
  // What is left to read is no load of the next turn.
  await stage.untilIdle(other);
  return { rate, p99 };
}

/** Has it wait, and waits until the part in progress is done. */
async function rest({ stage, store }: Options, work: Work): Promise<void> {
  await sql`update ${sql.table(work)} set due_at = 'infinity' where store_id = ${store.id} and completed_at is null`.execute(
    stage.sql,
  );
}

async function goOn({ stage, store }: Options, work: Work): Promise<void> {
  await sql`update ${sql.table(work)} set due_at = now() where store_id = ${store.id} and completed_at is null`.execute(
    stage.sql,
  );
}

async function isOver({ stage, store }: Options, work: Work): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(work)} where store_id = ${store.id} and completed_at is null`.execute(stage.sql);
  return rows.length === 0;
}

async function sweptRows({ stage, store }: Options, work: Work): Promise<number> {
  const { rows } = await sql<{ swept: number }>`
    select (
      select coalesce(sum(value::int), 0)::int from json_each_text(counts)
    ) as swept
    from ${sql.table(work)} where store_id = ${store.id} order by created_at desc limit 1`.execute(stage.sql);
  return rows[0]?.swept ?? 0;
}
