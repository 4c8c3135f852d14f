/**
 * Measures the service under load, and the floors, in one run on this machine.
 *
 *   npm run bench -- [--seconds 8] [--only single,bulk] [--preload N] [--plain <folder>] [--json]
 *   npm run bench -- --against <commit> [--seconds 8] [--turns 8] [--only single,bulk] [--json]
 *
 * `--plain` names the folder of a service to compare with, which has the same operations, reads DATABASE_URL, PORT and
 * API_KEY, and gets the same loads in turn. Fails if what was acknowledged is not what is stored. `--against` compares
 * with another commit instead.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { compareWith, toComparisonTable } from './bench/against.ts';
import { type BenchDatabase, copyFloor, openBenchDatabase, preload } from './bench/database.ts';
import { generate, generateTogether, type Load, type Result, WARM_UP_SECONDS } from './bench/load.ts';
import { freePort, start, startRedis, usage } from './bench/processes.ts';
import { type Report, type Row, toTable } from './bench/report.ts';
import { scenarios } from './bench/scenarios.ts';
import { measureSecondStart } from './bench/second-start.ts';
import { ROOT, startService, type Target, TIERS } from './bench/service.ts';

const PLAIN_KEY = 'bench';
/** How often the plain service gets each load. */
const TURNS = 3;

interface Measured {
  name: string;
  scenario: string;
  connections: number;
  /** A scenario that runs at the same time and is not reported. */
  beside?: string;
  /** Whether the plain service has the operation too. */
  plain?: boolean;
}

const WARM_UP: Measured = { name: 'warm-up', scenario: 'single', connections: 128 };
const LOADS: readonly Measured[] = [
  { name: 'single events', scenario: 'single', connections: 128, plain: true },
  { name: 'single events', scenario: 'single', connections: 32, plain: true },
  { name: 'single events, one in ten an order', scenario: 'shopping', connections: 32 },
  { name: 'bulk of 1,000 events', scenario: 'bulk', connections: 8, plain: true },
  { name: 'single events beside bulk', scenario: 'single', connections: 8, beside: 'bulk' },
  { name: 'profile upserts', scenario: 'upsert', connections: 128, plain: true },
  { name: 'compat events', scenario: 'compat', connections: 128 },
  { name: 'compat imports of 10,000 profiles', scenario: 'import', connections: 1 },
];

exitWithHelpIfAsked(`Measures the service under load, and baselines to compare it with, in one run on this machine.
Usage: npm run bench -- [--seconds 8] [--only single,bulk] [--preload N] [--plain <folder>] [--json]
       npm run bench -- --against <commit> [--seconds 8] [--turns 8] [--only single,bulk] [--json]
  --against  a commit to compare with: both in turn, on one Postgres and one Redis
  --turns    how often each of the two gets each load
  --seconds  how long each load runs
  --only     the loads to run: ${[...new Set(LOADS.map(({ scenario }) => scenario))].join(', ')}
  --preload  events to store first
  --plain    the folder of another service with the same operations, to compare with
  --json     prints the report as JSON
It uses its own database, and needs a redis-server on the PATH.`);

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    only: { type: 'string' },
    preload: { type: 'string', default: '0' },
    plain: { type: 'string' },
    against: { type: 'string' },
    turns: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);
const isAsked = (scenario: string) => !options.only || options.only.split(',').includes(scenario);

async function startPlain(databaseUrl: string, folder: string): Promise<Target> {
  const port = await freePort();
  const env = { DATABASE_URL: databaseUrl, PORT: String(port), API_KEY: PLAIN_KEY };
  const plain = await start('npm', ['start'], { env, cwd: folder, ready: /plain service on/ });
  return { url: `http://127.0.0.1:${port}`, key: PLAIN_KEY, process: plain };
}

async function noDatabaseFloor(): Promise<number> {
  const port = await freePort();
  const env = { PORT: String(port), RATE_LIMIT_TIERS: TIERS, WORKERS: '1' };
  const app = await start(process.execPath, ['scripts/bench/no-database.ts'], { env, cwd: ROOT, ready: /listening/ });
  const load = { url: `http://127.0.0.1:${port}`, key: 'none', scenario: 'single', connections: 128 };
  const { rate } = await generate({ ...load, seconds, run: 'floor' });
  await app.stop();
  return rate;
}

/** Measures one load on a target, after a checkpoint of what the previous one wrote. */
async function measure(
  { sql: db }: BenchDatabase,
  target: Target,
  load: Measured,
  run: string,
  duration = seconds,
): Promise<Result & { beside: Result[] }> {
  await sql`checkpoint`.execute(db);
  const common = { url: target.url, key: target.key, seconds: duration };
  const one: Load = { ...common, scenario: load.scenario, connections: load.connections, run };
  const other: Load[] = load.beside ? [{ ...common, scenario: load.beside, connections: 4, run: `${run}-beside` }] : [];
  const [result, ...beside] = await generateTogether([one, ...other]);
  return { ...(result as Result), beside };
}

/** Measures a load on the service, and checks that what was acknowledged is stored. */
async function measureService(database: BenchDatabase, target: Target, load: Measured, run: string): Promise<Row> {
  const { counts } = scenarios(run)[load.scenario] as { counts: 'event' | 'profile' };
  const [rowsBefore, before] = [await database.count(counts), usage(target.process.pid)];
  const { beside, ...result } = await measure(database, target, load, run);
  await waitForEmptyQueue(database);
  const after = usage(target.process.pid);
  const stored = (await database.count(counts)) - rowsBefore;
  const acknowledged = [result, ...beside].reduce((sum, { items }) => sum + items, 0);
  // Upserts of known customers create no row.
  if (load.scenario !== 'upsert' && stored !== acknowledged) {
    throw new Error(`${load.name}: ${acknowledged} acknowledged, ${stored} stored`);
  }
  const cpu = ((after.cpu - before.cpu) / acknowledged) * 1000;
  return { name: load.name, connections: load.connections, ...result, cpu, memory: after.memory };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

async function waitForEmptyQueue({ sql: db }: BenchDatabase): Promise<void> {
  const isEmpty = async () => (await sql`select 1 from import_chunk limit 1`.execute(db)).rows.length === 0;
  while (!(await isEmpty())) await sleep(20);
}

async function compare(commit: string): Promise<void> {
  const loads = LOADS.filter(({ scenario, beside }) => isAsked(scenario) && scenario !== 'import' && !beside);
  const comparisons = await compareWith(commit, loads, { seconds, turns: Number(options.turns) });
  console.log(options.json ? JSON.stringify({ against: commit, comparisons }) : toComparisonTable(commit, comparisons));
}

async function main(): Promise<void> {
  const database = await openBenchDatabase();
  const redis = await startRedis();
  const service = await startService(database.url, redis.url);
  const plain = options.plain ? await startPlain(database.url, options.plain) : undefined;
  try {
    const { rows: stores } = await sql<{ id: string }>`select id from store`.execute(database.sql);
    const storeId = stores[0]?.id as string;
    await preload(database, storeId, Number(options.preload));
    const copies: number[] = [];
    const copy = async () => copies.push(await copyFloor(database, storeId, `copy${copies.length}`));
    await copy();
    const noDatabase = await noDatabaseFloor();
    const secondStart = await measureSecondStart();
    const reported: Row[] = [];
    // Neither service may be measured with cold code.
    for (const target of [service, ...(plain ? [plain] : [])]) {
      await measure(database, target, WARM_UP, 'warm-up', WARM_UP_SECONDS);
    }
    for (const [i, load] of LOADS.entries()) {
      if (!isAsked(load.scenario)) continue;
      const rows = [await measureService(database, service, load, `run${i}`)];
      const plainRates: number[] = [];
      // In turn, with the service first and last: a machine that grows slower or faster must not favour one of them.
      for (let turn = 1; plain && load.plain && turn <= TURNS; turn += 1) {
        plainRates.push((await measure(database, plain, load, `run${i}-${turn}`)).rate);
        if (load.scenario === 'bulk') await copy();
        rows.push(await measureService(database, service, load, `run${i}-${turn}`));
      }
      const row: Row = { ...(rows.at(-1) as Row), rate: mean(rows.map(({ rate }) => rate)) };
      row.p99 = Math.max(...rows.map(({ p99 }) => p99));
      if (plainRates.length > 0) row.plain = mean(plainRates);
      reported.push(row);
      if (!options.json) console.error(`${load.name}: ${rows.map(({ rate }) => Math.round(rate)).join(', ')}/s`);
    }
    const report: Report = {
      node: process.version,
      cores: availableParallelism(),
      seconds,
      preloaded: Number(options.preload),
      floors: { copy: mean(copies), noDatabase },
      rows: reported,
      secondStart,
    };
    console.log(options.json ? JSON.stringify(report) : toTable(report));
  } finally {
    await plain?.process.stop();
    await service.process.stop();
    await redis.stop();
    await database.close();
  }
}

if (options.against) await compare(options.against);
else await main();
