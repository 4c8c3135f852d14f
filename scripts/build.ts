/**
 * Builds what a release runs: the service as JavaScript with all that it serves into `dist/service`, where everything is
 * at the place that it has here, and the client into `dist/client`.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { withProgress } from '../src/process/progress.mjs';
import { buildClient } from './build-client.ts';
import { BUILT_FROM, buildDashboard } from './build-dashboard.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/service');
/** What the compiler or the bundler makes something else of. */
const SOURCES = ['.ts', '.tsx'];
const BUILT_APART = ['src/dashboard', 'src/onsite', 'src/client'];

/** Aside first: a release is never half of one. */
async function buildService(): Promise<void> {
  const made = `${folder}.new`;
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', join(root, 'scripts/build'), '--outDir', made]);
  for (const name of ['src', 'generated', 'openapi', 'dist/dashboard']) {
    await cp(join(root, name), join(made, name), { recursive: true, filter: isServed });
  }
  await rm(folder, { recursive: true, force: true });
  await rename(made, folder);
}

function isServed(path: string): boolean {
  return (
    !SOURCES.includes(extname(path)) && !BUILT_APART.includes(relative(root, path)) && basename(path) !== BUILT_FROM
  );
}

exitWithHelpIfAsked(`Builds what a release runs into dist: the service, its dashboard and documentation, and the client.
Usage: npm run build. npm pack --ignore-scripts=false builds it, too, and makes a package of it`);
await buildDashboard(withProgress);
await Promise.all([buildService(), buildClient(join(root, 'dist/client'))]);
