/**
 * Installs what the lockfile asks for, where it is not installed yet, the project's Node among it. Every script
 * of package.json begins with it, on whatever Node the machine has, so it is plain JavaScript. Prints to stderr only.
 *
 * No package runs a script of its own at that: `.npmrc` says so, which every npm heeds, as it does not an allow-list. What
 * such scripts would have to do is done here.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withProgress } from '../src/process/progress.mjs';
import { findNode, link, linkLibraries, ROOT } from './installed.mjs';

const LOCK = '.setup.lock';
/** An installation takes seconds; a lock this old belongs to one that was killed, whatever has its process id now. */
const LOCK_EXPIRES_MS = 10 * 60 * 1000;

process.chdir(ROOT);

if (!installed()) {
  await lock();
  let failure;
  try {
    // Another command may have installed it meanwhile.
    if (!installed()) failure = await install();
  } finally {
    rmSync(LOCK, { force: true });
  }
  if (failure) {
    console.error(failure);
    process.exit(1);
  }
}
linkNode();
linkLibraries();

/** Whether every package of the lockfile is there in its version; those for other platforms are optional. */
function installed() {
  if (!existsSync('node_modules/.package-lock.json')) return false;
  const present = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')).packages;
  return wanted().every(([path, { version, optional }]) =>
    present[path] ? present[path].version === version : optional === true,
  );
}

/** The packages of the lockfile, and their folders. */
function wanted() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Object.entries(packages).filter(([path]) => path !== '');
}

/** Returns what went wrong, if something did. Says how far it is, which npm does not tell: how many packages are there. */
async function install() {
  const { glibcVersionRuntime } = process.report.getReport().header;
  const here = { os: process.platform, cpu: process.arch, libc: glibcVersionRuntime ? 'glibc' : 'musl' };
  const isForHere = ([, wants]) => Object.entries(here).every(([name, value]) => wants[name]?.includes(value) ?? true);
  const folders = wanted()
    .filter(isForHere)
    .map(([path]) => path);
  const present = () => folders.filter((path) => existsSync(join(path, 'package.json'))).length;
  const state = () => `${present()} of ${folders.length} packages`;
  return await withProgress('Installing dependencies', runNpm, state).catch(
    ({ message }) => `The dependencies could not be installed${message ? `: ${message}` : '.'}`,
  );
}

/** Rejects if it fails, with a message if it could not be run at all. */
function runNpm() {
  const npm = process.env.npm_execpath;
  // Tests need the development packages, and Node and Postgres are optional ones, whatever NODE_ENV says.
  const ci = ['ci', '--include=dev', '--include=optional'];
  const [command, args] = npm ? [process.execPath, [npm, ...ci]] : ['npm', ci];
  // Packages ask for a newer Node than the machine may have: they run on the one that is installed here.
  const env = { ...process.env, npm_config_loglevel: 'error', npm_config_progress: 'false' };
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 2], env });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(''))));
  });
}

/** npm 10 forgets to link the Node of the lockfile: it takes the link away with the Nodes for other platforms. */
function linkNode() {
  const node = findNode();
  if (node) link(relative('node_modules/.bin', node), 'node_modules/.bin/node');
}

/** Waits for another command that installs: two at once would take each other's files away. */
async function lock() {
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (abandoned()) rmSync(LOCK, { force: true });
    else await sleep(200);
  }
}

function abandoned() {
  try {
    if (Date.now() - statSync(LOCK).mtimeMs > LOCK_EXPIRES_MS) return true;
    const pid = Number(readFileSync(LOCK, 'utf8'));
    // Empty for the moment between its creation and its writing.
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
