import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Stage, Store } from '../automations/stage.ts';
import { usage } from '../processes.ts';
import type { Target } from '../service.ts';
import { FileFeed, tableOf, xmlOf } from './feeds.ts';
import { itemOf } from './items.ts';
import { request } from './requests.ts';

export interface Loading {
  name: string;
  items: number;
  seconds: number;
  /** Seconds of CPU, of the process and of Postgres. */
  cpu: number;
  databaseCpu: number;
  /** Of all tables of the store's catalog and of what follows it. */
  rowsWritten: number;
}

const AT_ONCE = 1_000;
/** Requests that are made at the same time. */
const CONNECTIONS = 2;
/** Items that are written before it is measured. */
const WARM_UP = 20_000;

/** How long it takes to load a catalog, and the same catalog once more, which writes nothing; by requests and by feeds. */
export async function measureLoading(stage: Stage, service: Target, items: number): Promise<Loading[]> {
  await load(service, await stage.newStore(), 0, WARM_UP);
  const store = await stage.newStore();
  const measure = async (name: string, count: number, work: () => Promise<void>): Promise<Loading> => {
    await sql`checkpoint`.execute(stage.sql);
    const written = await rowsWritten(stage);
    const before = { cpu: usage(service.process.pid).cpu, databaseCpu: await stage.databaseCpu() };
    const start = performance.now();
    await work();
    const seconds = (performance.now() - start) / 1_000;
    const cpu = usage(service.process.pid).cpu - before.cpu;
    const databaseCpu = (await stage.databaseCpu()) - before.databaseCpu;
    return { name, items: count, seconds, cpu, databaseCpu, rowsWritten: (await rowsWritten(stage)) - written };
  };
  const again = Math.min(items, 20_000);
  const plain = await stage.newStore();
  const feed = async (name: string, format: 'csv' | 'xml', text: string) => {
    const feed = await FileFeed.create(service, await stage.newStore(), format);
    await feed.upload(text);
    const created = await measure(`${name}, new`, again, () => feed.read());
    await feed.upload(text);
    return [created, await measure(`${name}, unchanged`, again, () => feed.read())];
  };
  return [
    await measure('new items without variants', items, () => load(service, plain, 0, items, 0)),
    await measure('new items of two variants', items, () => load(service, store, 0, items)),
    await measure('unchanged', again, () => load(service, store, 0, again)),
    await measure('another stock of each variant', again, () => changeStock(service, store, again)),
    ...(await feed('a feed (CSV)', 'csv', tableOf(again))),
    ...(await feed('a feed (XML) of two variants each', 'xml', xmlOf(again))),
  ];
}

async function load(service: Target, store: Store, from: number, count: number, variants = 2): Promise<void> {
  await inBatches(from, count, async (ns) => {
    await request(service, store, '/v1/catalog/items/bulk', { items: ns.map((n) => itemOf(n, variants)) });
  });
}

async function changeStock(service: Target, store: Store, count: number): Promise<void> {
  await inBatches(0, count, async (ns) => {
    const updates = ns.map((n) => ({ variant_id: `I-${n}-0`, stock: 100 + (n % 40) }));
    await request(service, store, '/v1/catalog/stock', { updates });
  });
}

async function inBatches(from: number, count: number, send: (ns: number[]) => Promise<void>): Promise<void> {
  let next = from;
  const drive = async () => {
    while (next < from + count) {
      const start = next;
      next += AT_ONCE;
      const size = Math.min(AT_ONCE, from + count - start);
      await send(Array.from({ length: size }, (_, i) => start + i));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, drive));
}

async function rowsWritten(stage: Stage): Promise<number> {
  // Connections tell what they have done once they have done nothing for ten seconds.
  await sleep(11_000);
  const { rows } = await sql<{ written: number }>`
    select sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 as written from pg_stat_user_tables
    where relname like 'catalog%' or relname = 'addition'`.execute(stage.sql);
  return rows[0]?.written ?? 0;
}
