import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Context } from 'mocha';

/** What the tests of a file took, in milliseconds. */
export interface Measure {
  file: string;
  wall: number;
  /** CPU time of the process of the tests, with the services in it. */
  cpu: number;
  /** CPU time of the programs that they started, and of the browser that several files have; 0 where the system does not tell. */
  programs: number;
}

/** Tells the processes of tests where to write what they measure. */
const FILE_VARIABLE = 'TEST_MEASURES';
const MS_OF_TICK = 10;

export function openMeasures(): void {
  process.env[FILE_VARIABLE] = join(mkdtempSync(join(tmpdir(), 'footfall-measures-')), 'measures');
}

export function closeMeasures(): void {
  const file = process.env[FILE_VARIABLE];
  if (file) rmSync(dirname(file), { recursive: true, force: true });
}

export function readMeasures(): Measure[] {
  const file = process.env[FILE_VARIABLE];
  if (!file || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}

let begun: Omit<Measure, 'file'> | undefined;

/** Root hooks. Only where files run in processes of their own does mocha run them once for each file. */
export const measureHooks = {
  beforeAll(): void {
    if (process.env.MOCHA_WORKER_ID !== undefined) begun = now();
  },
  afterAll(this: Context): void {
    const file = this.test?.parent?.suites[0]?.file;
    const [to, ended] = [process.env[FILE_VARIABLE], now()];
    if (!begun || !file || !to) return;
    const { wall, cpu, programs } = begun;
    const measure = { file, wall: ended.wall - wall, cpu: ended.cpu - cpu, programs: ended.programs - programs };
    appendFileSync(to, `${JSON.stringify(measure)}\n`);
  },
};

function now(): Omit<Measure, 'file'> {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1000, programs: cpuOfPrograms() };
}

/** Of those that have ended, and of those that still run, as the browser does from file to file. */
function cpuOfPrograms(): number {
  if (process.platform !== 'linux') return 0;
  const [, , ...ended] = ticksOf('self');
  const running = descendantsOf('self').flatMap(ticksOf);
  return [...ended, ...running].reduce((sum, ticks) => sum + ticks, 0) * MS_OF_TICK;
}

/** A process's own ticks, of the program and of the system, and those of its children that have ended. */
function ticksOf(pid: string): number[] {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // After the name, which may hold spaces: from the third field on, of which the 14th to the 17th are meant.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map(Number);
}

function descendantsOf(pid: string): string[] {
  const children = threadsOf(pid).flatMap((thread) => readOrEmpty(`/proc/${pid}/task/${thread}/children`).split(' '));
  return children.filter(Boolean).flatMap((child) => [child, ...descendantsOf(child)]);
}

function threadsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Processes end while one looks. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
