import { relative } from 'node:path';
import mocha, { type MochaOptions, type Runnable, type Runner } from 'mocha';
import { type Measure, readMeasures } from './measures.ts';

const { EVENT_HOOK_END, EVENT_RUN_END, EVENT_TEST_END, EVENT_TEST_RETRY } = mocha.Runner.constants;
const SHOWN = 10;

/** Mocha's own reporter, and at the end the tests that had to be tried again, the files that took longest, and for what. */
export default class Reporter extends mocha.reporters.Spec {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options);
    const startedAt = performance.now();
    /** Milliseconds by file, of tests and hooks: all that is known where all files run in one process. */
    const durations = new Map<string, number>();
    const add = ({ file = '', duration = 0 }: Runnable) => durations.set(file, (durations.get(file) ?? 0) + duration);
    runner.on(EVENT_TEST_END, add);
    runner.on(EVENT_HOOK_END, add);
    const repeated: string[] = [];
    runner.on(EVENT_TEST_RETRY, (test: Runnable, error: Error) => {
      repeated.push(`${test.fullTitle()}\n      ${error?.message}`);
    });
    runner.once(EVENT_RUN_END, () => {
      if (repeated.length > 0) console.log(['  Failed, and were tried again:', ...repeated, ''].join('\n    '));
      const measured = new Map(readMeasures().map((measure) => [measure.file, measure]));
      const files = [...durations]
        .filter(([file]) => file !== '')
        .map(([file, wall]) => measured.get(file) ?? { file, wall });
      if (files.length > 1) console.log(tableOf(files, performance.now() - startedAt));
    });
  }
}

function tableOf(files: (Pick<Measure, 'file' | 'wall'> & Partial<Measure>)[], totalMs: number): string {
  const slowest = files.sort((a, b) => b.wall - a.wall).slice(0, SHOWN);
  const rows = slowest.map(({ file, wall, cpu, programs }) => {
    const waited = cpu === undefined || programs === undefined ? undefined : Math.max(0, wall - cpu - programs);
    return [...[wall, cpu, programs, waited].map(seconds), `  ${relative(process.cwd(), file)}`].join('');
  });
  const heading = ['wall', 'CPU', 'programs', 'waits'].map((name) => name.padStart(10)).join('');
  const total = [totalMs, sumOf(files, 'cpu'), sumOf(files, 'programs'), undefined].map(seconds).join('');
  return ['  Slowest files, in seconds:', heading, ...rows, `${total}  all ${files.length} files`, ''].join('\n');
}

/** Undefined where it was not measured. */
function sumOf(files: readonly Partial<Measure>[], what: 'cpu' | 'programs'): number | undefined {
  const measured = files.flatMap((file) => file[what] ?? []);
  return measured.length > 0 ? measured.reduce((sum, ms) => sum + ms, 0) : undefined;
}

function seconds(ms: number | undefined): string {
  return (ms === undefined ? '' : (ms / 1000).toFixed(1)).padStart(10);
}
