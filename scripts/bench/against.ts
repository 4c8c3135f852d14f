/**
 * Measures this checkout against another commit of it: two services, each with a database of its own on one Postgres, and
 * one Redis. Each load is sent to them in turn, so that a machine that grows slower or faster favours neither.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { type EmbeddedPostgres, openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { generate, WARM_UP_SECONDS } from './load.ts';
import { startRedis, treeUsage, usage } from './processes.ts';
import { ROOT, startService, type Target } from './service.ts';

export interface ComparedLoad {
  name: string;
  scenario: string;
  connections: number;
}

/** What one item of a load took. */
export type Cost = Record<(typeof FIGURES)[number], number>;

/** Items per second; CPU of Postgres and of the service in microseconds for each item; bytes that Postgres logged for it. */
export const FIGURES = ['rate', 'postgres', 'node', 'wal'] as const;

export interface Comparison extends ComparedLoad {
  /** One for each turn. */
  theirs: Cost[];
  ours: Cost[];
}

/** A service under comparison, with its own database. */
interface Side {
  service: Target;
  database: Database;
}

/**
 * What Postgres does by itself at times would fall to one side: it writes no checkpoint and vacuums nothing while it is
 * measured.
 */
const SETTINGS = { autovacuum: 'off', checkpoint_timeout: '1h', max_wal_size: '64GB' };

/**
 * Returns what each load cost at `commit` and costs now, in as many turns. The commit is checked out into a temporary
 * folder, and installs what it needs.
 */
export async function compareWith(
  commit: string,
  loads: readonly ComparedLoad[],
  { seconds, turns }: { seconds: number; turns: number },
): Promise<Comparison[]> {
  const folder = await mkdtemp(join(tmpdir(), 'footfall-against-'));
  const checkout = join(folder, 'checkout');
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', checkout, commit], { cwd: ROOT });
  const postgres = await openEmbedded(join(folder, 'data'), SETTINGS);
  const redis = await startRedis();
  const sides: Side[] = [];
  try {
    for (const [n, root] of [checkout, ROOT].entries()) {
      sides.push(await openSide(postgres.url, `side_${n}`, `${redis.url}/${n}`, root));
    }
    const [theirs, ours] = sides as [Side, Side];
    for (const { service } of sides) await warmUp(service, loads);
    const compared = loads.map((load): Comparison => ({ ...load, theirs: [], ours: [] }));
    for (let turn = 0; turn < turns; turn += 1) {
      for (const comparison of compared) {
        const measured = async (side: Side) => measure(postgres, side, comparison, seconds, `turn${turn}`);
        // Whichever was second in a turn is first in the next.
        if (turn % 2 === 0) comparison.theirs.push(await measured(theirs));
        comparison.ours.push(await measured(ours));
        if (turn % 2 === 1) comparison.theirs.push(await measured(theirs));
      }
      for (const { database } of sides) await sql`vacuum analyze`.execute(database.sql);
    }
    return compared;
  } finally {
    for (const { service, database } of sides) {
      await service.process.stop();
      await database.close();
    }
    await redis.stop();
    await postgres.release();
    execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: ROOT });
    await rm(folder, { recursive: true, force: true });
  }
}

async function openSide(postgresUrl: string, name: string, redisUrl: string, folder: string): Promise<Side> {
  const server = await openDatabase(postgresUrl, 1, {});
  await sql`create database ${sql.id(name)}`.execute(server.sql);
  await server.close();
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  // An earlier checkout installs by a script before `start`, which the settings of this one would keep npm from running.
  const settings = { npm_config_ignore_scripts: 'false' };
  const service = await startService(url.href, redisUrl, { folder, settings });
  return { service, database: await openDatabase(url.href, 1, {}) };
}

/** Neither service may be measured with cold code. */
async function warmUp({ url, key }: Target, loads: readonly ComparedLoad[]): Promise<void> {
  for (const { scenario, connections } of loads) {
    const seconds = WARM_UP_SECONDS / loads.length;
    await generate({ url, key, scenario, connections, seconds, run: 'warm-up' });
  }
}

async function measure(
  { pid: postmaster }: EmbeddedPostgres,
  { service, database: { sql: db } }: Side,
  { scenario, connections, name }: ComparedLoad,
  seconds: number,
  turn: string,
): Promise<Cost> {
  const position = async () => {
    const { rows } = await sql<{ bytes: string }>`select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`.execute(db);
    return Number(rows[0]?.bytes);
  };
  const used = async () => ({
    wal: await position(),
    postgres: treeUsage(postmaster),
    node: usage(service.process.pid).cpu,
  });
  const before = await used();
  const run = `${turn}-${name.replaceAll(/[^a-z0-9]+/gi, '-')}-${connections}`;
  const { rate, items } = await generate({ url: service.url, key: service.key, scenario, connections, seconds, run });
  const after = await used();
  const microseconds = (of: 'postgres' | 'node') => ((after[of] - before[of]) / items) * 1e6;
  return {
    rate,
    postgres: microseconds('postgres'),
    node: microseconds('node'),
    wal: (after.wal - before.wal) / items,
  };
}

/** Formats comparisons as a Markdown table: the medians of both, and the median of the turns' ratios with its range. */
export function toComparisonTable(commit: string, comparisons: readonly Comparison[]): string {
  const heading = ['Load', 'Connections', ...FIGURES.map((figure) => HEADINGS[figure])];
  const lines = comparisons.map(({ name, connections, theirs, ours }) => {
    const cells = FIGURES.map((figure) => {
      const ratios = theirs.map((cost, turn) => (ours[turn] as Cost)[figure] / cost[figure]);
      const medianOf = (costs: readonly Cost[]) => whole(median(costs.map((cost) => cost[figure])));
      const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
      return `${medianOf(theirs)} → ${medianOf(ours)}: **${median(ratios).toFixed(2)}** (${range})`;
    });
    return [name, connections, ...cells];
  });
  const rule = heading.map((_, n) => (n === 0 ? '---' : '--:'));
  const toLine = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [`Against ${commit}, in turn:`, '', ...[heading, rule, ...lines].map(toLine)].join('\n');
}

const HEADINGS: Record<(typeof FIGURES)[number], string> = {
  rate: 'Items/s',
  postgres: 'Postgres, µs of CPU for each',
  node: 'Service, µs of CPU for each',
  wal: 'WAL, bytes for each',
};

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
