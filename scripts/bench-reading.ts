/**
 * Measures reading with a year of history stored, and how much reading slows writing down:
 *
 *   npm run bench:reading -- [--events 5000000] [--profiles 500000] [--seconds 3] [--connections 4] [--data <folder>] [--json]
 *
 * `--connections` says over how many the requests are sent; over one, each has the machine to itself. `--data` names a folder to keep the database in, so that the next run need not fill it.
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { openOrm } from '../src/db/orm.ts';
import { ApiKeys } from '../src/domain/api-keys/api-keys.ts';
import { SCOPES } from '../src/domain/caller.ts';
import { ensureStore } from '../src/domain/stores.ts';
import { makeCompatReads } from './bench/compat-reads.ts';
import { type BenchDatabase, openBenchDatabase } from './bench/database.ts';
import { storeHistory } from './bench/history.ts';
import { generate, WARM_UP_SECONDS } from './bench/load.ts';
import { measurePages, type PageResult } from './bench/pages.ts';
import { startRedis } from './bench/processes.ts';
import { openStreams, readContinuously } from './bench/readers.ts';
import { makeReads, measureRead, type Read, type ReadResult } from './bench/reads.ts';
import { LISTENING, startService, type Target } from './bench/service.ts';

const WRITERS = 128;
const STREAMS_OF_KEY = 50;
/** Reads of some twenty users of dashboards, and of programs. */
const READS_PER_SECOND = 20;
/** How often writing is measured beside each kind of reader. */
const ROUNDS = 8;

exitWithHelpIfAsked(`Measures reads with a year of history stored, and how much they slow down writes.
Usage: npm run bench:reading -- [--events 5000000] [--profiles 500000] [--seconds 3] [--connections 4] [--only W]
       [--data <folder>] [--json]
  --seconds  how long each request is measured
  --connections  over how many they are sent: over one, each has the machine to itself
  --only     only requests whose names contain this word
  --data     a folder that keeps the filled database for the next run
  --json     prints the report as JSON
It needs a redis-server on the PATH, and a browser to measure pages.`);

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '5000000' },
    profiles: { type: 'string', default: '500000' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '4' },
    only: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const size = { events: Number(options.events), profiles: Number(options.profiles) };
const seconds = Number(options.seconds);
const connections = Number(options.connections);

interface WriteResult {
  beside: string;
  rate: number;
  p99: number;
}

interface Report {
  read: Record<string, ReadResult>;
  shown: Record<string, PageResult>;
  written: WriteResult[];
}

async function main(): Promise<void> {
  const database = await openBenchDatabase(options.data);
  const redis = await startRedis();
  let service: Target | undefined;
  try {
    const { storeId, key, streamKeys } = await prepare(database.url);
    await fillOnce(database, storeId);
    // Postgres must not be measured while it is still flushing what filling wrote.
    await sql`checkpoint`.execute(database.sql);
    service = await startService(database.url, redis.url, { ready: LISTENING });
    const target = { url: service.url, key };
    await sendRefused(target);
    const reads = await makeReads(database.sql, size.profiles);
    const all = { ...reads, ...(await makeCompatReads(database.sql, size.profiles)) };
    const chosen = Object.entries(all).filter(([name]) => !options.only || name.includes(options.only));
    const read: Record<string, ReadResult> = {};
    for (const [name, next] of chosen) {
      await measureRead(target, next, { connections, seconds: 0.3 });
      read[name] = await measureRead(target, next, { connections, seconds });
      showProgress(`${name}: p99 ${read[name].p99.toFixed(1)} ms`);
    }
    const report: Report = { read, shown: {}, written: [] };
    if (!options.only) {
      report.shown = await measurePages(target.url, key, await anyProfile(database));
      report.written = await measureWriting(target, Object.values(reads), streamKeys);
    }
    console.log(options.json ? JSON.stringify({ ...size, ...report }) : toTables(report));
  } finally {
    await service?.process.stop();
    await redis.stop();
    await database.close();
  }
}

interface Prepared {
  storeId: string;
  key: string;
  /** Keys for the streams: two of the store that is written to, and two of another one. */
  streamKeys: string[];
}

async function prepare(url: string): Promise<Prepared> {
  const database = await openOrm(url, 1);
  const keys = new ApiKeys(database);
  const [storeId, otherId] = [await ensureStore(database, 'default'), await ensureStore(database, 'other')];
  const create = async (id: string) => {
    return (await keys.create({ storeId: id, name: 'bench', scopes: SCOPES, tier: 'partner' })).key;
  };
  const key = await create(storeId);
  const streamKeys = [key, await create(storeId), await create(otherId), await create(otherId)];
  await database.orm.close(true);
  return { storeId, key, streamKeys };
}

async function fillOnce({ sql: db }: BenchDatabase, storeId: string): Promise<void> {
  const { rows } = await sql`select 1 from event where store_id = ${storeId} limit 1`.execute(db);
  if (rows.length === 0) await storeHistory(db, storeId, size);
}

function showProgress(what: string): void {
  if (!options.json) console.error(what);
}

const REFUSED = 300;

/** Creates refused requests, so that there are some to list. */
async function sendRefused({ url, key }: { url: string; key: string }): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  for (let n = 0; n < REFUSED; n += 1) {
    const body = JSON.stringify({ event_type: `type_${n}` });
    await (await fetch(`${url}/v1/events`, { method: 'POST', headers, body })).arrayBuffer();
  }
}

async function anyProfile({ sql: db }: BenchDatabase): Promise<string> {
  const { rows } = await sql<{ id: string }>`select profile_id as id from event limit 1`.execute(db);
  return (rows[0] as { id: string }).id;
}

/** In turn, in reverse order every other time, so that a machine that grows slower or faster favours none. */
async function measureWriting(
  target: { url: string; key: string },
  reads: Read[],
  streamKeys: string[],
): Promise<WriteResult[]> {
  const load = { ...target, scenario: 'single', connections: WRITERS, seconds: Math.max(seconds, 4) };
  const beside: [string, () => Promise<{ end(): Promise<void> }>][] = [
    ['nothing', async () => ({ end: async () => {} })],
    [`${READS_PER_SECOND} requests a second that read`, async () => readContinuously(target, reads, READS_PER_SECOND)],
    [`${streamKeys.length * STREAMS_OF_KEY} open streams`, () => openStreams(target.url, streamKeys, STREAMS_OF_KEY)],
  ];
  // Each run of this script has its own data: a kept folder contains that of earlier runs.
  const run = (n: number | string) => `${Date.now().toString(36)}-${n}`;
  await generate({ ...load, seconds: WARM_UP_SECONDS, run: run('warm-up') });
  const results: WriteResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, begin] of round % 2 === 0 ? beside : beside.toReversed()) {
      const reader = await begin();
      const { rate, p99 } = await generate({ ...load, run: run(results.length) });
      await reader.end();
      results.push({ beside: name, rate, p99 });
      showProgress(`single events beside ${name}: ${Math.round(rate)}/s`);
    }
  }
  return beside.map(([name]) => {
    const all = results.filter((result) => result.beside === name);
    return {
      beside: name,
      rate: all.reduce((sum, { rate }) => sum + rate, 0) / all.length,
      p99: Math.max(...all.map(({ p99 }) => p99)),
    };
  });
}

function toTables({ read, shown, written }: Report): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  return [
    `${whole(size.events)} events of a year and ${whole(size.profiles)} profiles stored; connections: ${connections}.`,
    '',
    '| Request | Requests/s | p50 ms | p99 ms | Slowest ms |',
    '|---|--:|--:|--:|--:|',
    ...Object.entries(read).map(
      ([name, { rate, p50, p99, slowest }]) =>
        `| ${name} | ${whole(rate)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${slowest.toFixed(1)} |`,
    ),
    '',
    '| Page | Loaded anew ms | From another page ms |',
    '|---|--:|--:|',
    ...Object.entries(shown).map(([name, { loaded, reached }]) => `| ${name} | ${whole(loaded)} | ${whole(reached)} |`),
    '',
    '| Single events, beside | Events/s | p99 ms |',
    '|---|--:|--:|',
    ...written.map(({ beside, rate, p99 }) => `| ${beside} | ${whole(rate)} | ${p99.toFixed(1)} |`),
  ].join('\n');
}

await main();
