/**
 * Installs what the lockfile asks for, where it is not installed yet. Runs before `npm start`, `npm test` and
 * `npm run keys`, on whatever Node the machine has, so it is plain JavaScript. Prints to stderr only.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** Whether every package of the lockfile is there in its version; those for other platforms are optional. */
function installed() {
  if (!existsSync('node_modules/.package-lock.json')) return false;
  const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  const present = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || (present[path] ? present[path].version === version : optional === true),
  );
}

if (!installed()) {
  console.error('Installing dependencies…');
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm, 'ci']] : ['npm', ['ci']];
  // Packages ask for a newer Node than the machine may have: they run on the one that is installed here.
  const env = { ...process.env, npm_config_loglevel: 'error' };
  execFileSync(command, args, { stdio: ['ignore', 2, 2], env });
}
