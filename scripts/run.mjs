/**
 * Runs a script of package.json: `node scripts/run.mjs <name> [arguments]`. Installs what is missing first, and goes on
 * with the project's Node, whichever the machine has; so it is plain JavaScript.
 */
import { join } from 'node:path';
import { become, ENVIRONMENT, endAs, findNode, ROOT, runProgram, V8_FLAGS } from './installed.mjs';
import './setup.mjs';

const DASHBOARD = ['node', 'scripts/build-dashboard.ts'];
const LINT = [
  ['biome', 'ci', '--error-on-warnings'],
  ['depcruise', '--config', '.dependency-cruiser.mjs', '--output-type', 'err', 'src'],
];
const TYPES = [
  ['tsc'],
  ['tsc', '-p', 'src/client', '--noEmit'],
  ['tsc', '-p', 'src/dashboard'],
  ['tsc', '-p', 'src/onsite'],
];
const LINT_SPEC = ['redocly', 'lint', '--config', 'scripts/spec-rules/redocly.yaml'];
const GENERATE = ['node', 'scripts/generate.ts'];
const CHECK_BREAKING = ['node', 'scripts/check-breaking.ts'];

/** Tests that take more random files of CSV the longer they may run. */
const DAMAGED_FILES = ['test/native/imports.test.ts', 'test/unit/csv-rows.test.ts'];
/** Tests that need the machine for themselves, or would take too much of it from others. */
const ALONE = ['test/outage', 'test/release'];
const ignore = (folder) => ['--ignore', `${folder}/**`];

/** What they run, one after the other, as long as all is well. The rest is `scripts/<name>.ts`. */
const SCRIPTS = {
  start: [DASHBOARD, ['node', ...V8_FLAGS, 'src/main.ts']],
  worker: [['node', ...V8_FLAGS, 'src/worker.ts']],
  test: [DASHBOARD, ['mocha', '--parallel', '--jobs', '2', ...ALONE.flatMap(ignore)], ['mocha', ...ALONE]],
  soak: [['mocha', 'test/outage', 'test/hostile', 'test/tenants', ...DAMAGED_FILES]],
  check: [...LINT, ...TYPES, LINT_SPEC, [...GENERATE, '--check'], CHECK_BREAKING],
  lint: LINT,
  format: [['biome', 'check', '--write']],
  types: TYPES,
  'lint:spec': [LINT_SPEC],
};

const [name, ...args] = process.argv.slice(2);
const steps = SCRIPTS[name] ?? [['node', `scripts/${name.replace(':', '-')}.ts`]];
const programs = join(ROOT, 'node_modules/.bin');
const env = { ...ENVIRONMENT, ...process.env, PATH: `${programs}:${process.env.PATH}` };
if (name === 'soak') env.SOAK_ROUNDS ||= '10';
const find = (program) => (program === 'node' ? (findNode() ?? process.execPath) : join(programs, program));

for (const [program, ...words] of steps.slice(0, -1)) {
  const ended = await runProgram(find(program), words, env);
  if (ended.code !== 0) endAs(ended);
}
const [program, ...words] = steps.at(-1);
await become(find(program), [...words, ...args], env);
