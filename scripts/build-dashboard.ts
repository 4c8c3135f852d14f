/**
 * Builds what browsers load into `dist/dashboard`: the dashboard, and in `onsite` the script on the pages of shops; unless
 * that was already built from the same sources. Of several concurrent commands one builds, and the others wait.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { FileLock } from '../src/process/file-lock.ts';
import { type ReportProgress, withProgress } from '../src/process/progress.mjs';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const folder = join(dist, 'dashboard');
/** What they are built from, and by. */
const SOURCES = [
  'src/dashboard',
  'src/onsite',
  'src/client',
  'generated/native',
  'scripts/build-dashboard.ts',
  'package-lock.json',
];
/** In the built folder: the hash of its sources. */
export const BUILT_FROM = '.built-from';
/** What many pages have in common comes in one file; each page's own code, and what draws charts, where they are needed. */
const SHARED_CODE = { name: 'shared', minShareCount: 4, test: /^(?!.*(recharts|d3-|victory-|@mantine.charts))/ };
const LOCK_PATIENCE_MS = 120_000;

/** Ensures that they are built, and tells of it if that takes a while. */
export async function buildDashboard(progress: ReportProgress = (_, build) => build()): Promise<void> {
  const wanted = await hashOfSources();
  if ((await builtFrom()) === wanted) return;
  await mkdir(dist, { recursive: true });
  const lock = await FileLock.wait(join(dist, 'dashboard.lock'), 'exclusive', LOCK_PATIENCE_MS);
  if (!lock) throw new Error('Another command is still building the dashboard');
  try {
    if ((await builtFrom()) === wanted) return;
    await progress('Building the dashboard', () => buildAside(wanted));
  } finally {
    lock.release();
  }
}

/** Builds aside first, so that readers of the folder find either all of the old build or all of the new one. */
async function buildAside(hash: string): Promise<void> {
  const made = `${folder}.new`;
  await rm(made, { recursive: true, force: true });
  await bundle(made);
  await writeFile(join(made, BUILT_FROM), hash);
  const old = `${folder}.old`;
  await rm(old, { recursive: true, force: true });
  await rename(folder, old).catch(ignoreMissing);
  await rename(made, folder);
  await rm(old, { recursive: true, force: true });
}

async function bundle(outDir: string): Promise<void> {
  // Loaded on demand: it takes a while and is mostly not needed.
  const vite = await import('vite');
  const { NODE_ENV } = process.env;
  // Vite relies on it whatever its options, and leaves it set for callers in the same process.
  process.env.NODE_ENV = 'production';
  const common = { configFile: false, logLevel: 'error' } as const;
  await vite.build({
    ...common,
    root: join(root, 'src/dashboard'),
    base: '/dashboard/',
    // For the service to replace in every response.
    html: { cspNonce: 'NONCE_OF_THE_ANSWER' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting: { groups: [SHARED_CODE] } } },
    },
  });
  await vite.build({
    ...common,
    publicDir: false,
    build: {
      outDir: join(outDir, 'onsite'),
      // Browsers of the last five years.
      target: 'es2020',
      lib: {
        entry: join(root, 'src/onsite/klaviyo.ts'),
        formats: ['iife'],
        name: 'footfall',
        fileName: () => 'klaviyo.js',
      },
      reportCompressedSize: false,
    },
  });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of await filesIn(source)) hash.update(`${file}\0`).update(await readFile(join(root, file)));
  }
  return hash.digest('hex');
}

/** Returns a file, or all files of a folder in a stable order. */
async function filesIn(source: string): Promise<string[]> {
  try {
    const names = await readdir(join(root, source), { recursive: true, withFileTypes: true });
    return names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [source];
    throw error;
  }
}

async function builtFrom(): Promise<string | undefined> {
  return readFile(join(folder, BUILT_FROM), 'utf8').catch(ignoreMissing);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

if (import.meta.main) {
  exitWithHelpIfAsked(
    'Builds the dashboard, and the script for the pages of shops, into dist/dashboard, unless they are there already. Usage: npm run build:dashboard',
  );
  await buildDashboard(withProgress);
}
