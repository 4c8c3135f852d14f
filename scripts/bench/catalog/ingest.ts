import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Stage, Store } from '../automations/stage.ts';
import { generate } from '../load.ts';
import { usage } from '../processes.ts';
import type { Target } from '../service.ts';
import { request } from './requests.ts';

export interface Ingest {
  /** Events per second, of a store without a catalog and of one whose orders name its items, in turn. */
  without: number[];
  with: number[];
  ratio: number;
  /** Milliseconds of CPU per event, of the process and of Postgres, in all turns together. */
  cpu: { without: number; with: number };
}

const WARM_UP = 6;
/** What the load orders. */
const SKUS = ['A-100', 'B-200'];

/** What a catalog costs the recording of events which name its items. */
export async function measureIngest(
  stage: Stage,
  service: Target,
  { seconds, turns }: { seconds: number; turns: number },
): Promise<Ingest> {
  const stores = { without: await stage.newStore(), with: await stage.newStore() };
  const items = SKUS.map((sku) => ({ id: sku, title: sku, url: 'https://shop.example', sku }));
  await request(service, stores.with, '/v1/catalog/items/bulk', { items });
  await untilFollowed(stage, stores.with);
  const result: Ingest = { without: [], with: [], ratio: 0, cpu: { without: 0, with: 0 } };
  const sums = { without: { cpu: 0, events: 0 }, with: { cpu: 0, events: 0 } };
  const used = async () => usage(service.process.pid).cpu + (await stage.databaseCpu());
  const record = async (kind: 'without' | 'with', run: string, duration: number) => {
    await sql`checkpoint`.execute(stage.sql);
    const before = await used();
    const load = { scenario: 'single', connections: 128, url: service.url, key: stores[kind].key };
    const { rate, items: events } = await generate({ ...load, seconds: duration, run: `${kind}-${run}` });
    return { rate, events, cpu: (await used()) - before };
  };
  for (const kind of ['without', 'with'] as const) await record(kind, 'warm-up', WARM_UP);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const kind of ['without', 'with'] as const) {
      const { rate, events, cpu } = await record(kind, String(turn), seconds);
      result[kind].push(rate);
      sums[kind].cpu += cpu;
      sums[kind].events += events;
      // What is left to read is no load of the next turn.
      await stage.untilIdle(stores.with);
    }
  }
  const each = ({ cpu, events }: { cpu: number; events: number }) => (cpu * 1_000) / events;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  result.ratio = sum(result.with) / sum(result.without);
  result.cpu = { without: each(sums.without), with: each(sums.with) };
  return result;
}

async function untilFollowed(stage: Stage, { id }: Store): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from feed_reader where store_id = ${id} and name = 'items'`.execute(stage.sql);
    if (rows.length > 0) return;
    await sleep(100);
  }
}
