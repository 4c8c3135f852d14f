/**
 * Runs a script of package.json: `node scripts/run.mjs <name> [arguments]`. Installs what is missing first, and goes on
 * with the project's Node, whichever the machine has; so it is plain JavaScript.
 */
import { existsSync, readdirSync } from 'node:fs';
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

/** With more files at a time, those of browsers and of outages keep two cores so busy that nobody is done earlier. */
const TEST = ['mocha', '--parallel', '--jobs', '3'];
/**
 * The files that take longest begin first, so that none is left for the end; those of outages one after the other, as each
 * has a service under load.
 */
const LONGEST = [
  ...['outage/postgres', 'upgrade/upgrade', 'operation/start', 'release/release', 'dashboard/audiences'],
  ...['contract/contributing', 'access/stores', 'outage/redis', 'client/more-generated', 'dashboard/automation-editor'],
  ...['hostile/properties', 'dashboard/automations', 'contract/error-examples', 'dashboard/accessibility'],
  ...['outage/service', 'dashboard/imports', 'contract/examples', 'dashboard/week'],
].map((name) => `test/${name}.test.ts`);
/** What takes samples, or depends on chance. */
const SAMPLED = [
  ...['outage', 'hostile', 'tenants', 'access', 'jobs', 'native/imports.test.ts', 'unit/csv-rows.test.ts'],
  ...['native/lives.test.ts', 'native/life-races.test.ts', 'native/lives-and-messages.test.ts'],
  'unit/automations/batches.test.ts',
  ...['compat/third-party-schemas.test.ts', 'messages/random-kills.test.ts', 'campaigns/random-kills.test.ts'],
];

const [name, ...args] = process.argv.slice(2);
if (name === 'test' && !args.some((arg) => existsSync(arg))) TEST.push(...allTests());

/** What they run, one after the other, as long as all is well. The rest is `scripts/<name>.ts`. */
const SCRIPTS = {
  start: [DASHBOARD, ['node', ...V8_FLAGS, 'src/main.ts']],
  worker: [['node', ...V8_FLAGS, 'src/worker.ts']],
  test: [DASHBOARD, TEST],
  soak: [['mocha', ...SAMPLED.map((tests) => `test/${tests}`)]],
  check: [...LINT, ...TYPES, LINT_SPEC, [...GENERATE, '--check'], CHECK_BREAKING],
  lint: LINT,
  format: [['biome', 'check', '--write']],
  types: TYPES,
  'lint:spec': [LINT_SPEC],
  prepack: [['node', 'scripts/build.ts']],
};

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

function allTests() {
  return [...new Set([...LONGEST, ...testsIn('test')])];
}

/** But for those of packages of their own. */
function testsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return existsSync(`${path}/package.json`) ? [] : testsIn(path);
    return path.endsWith('.test.ts') ? [path] : [];
  });
}
