/** Builds the programs that tests start into the folder that it is given. */
import { existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { FileLock } from '../../src/process/file-lock.ts';
import { BUILDS, ROOT } from './programs.ts';

const COMMANDS = [
  'keys',
  'people',
  'erase',
  'demo',
  'backup',
  'restore',
  'automations',
  'migrations',
  'import',
  'distribute',
];
const PROGRAMS = ['src/main.ts', 'src/worker.ts', ...COMMANDS.map((name) => `scripts/${name}.ts`)];
/** Opened by their paths. */
const THREADS = ['src/**/*-thread.ts', 'test/support/service-thread.ts'];
/** Loaded only where they are installed, or asked for; or not JavaScript. */
const APART = ['typescript', 'pg-native', '@css-inline/css-inline'];
const PATIENCE_MS = 240_000;
/** Milliseconds for which processes of another run may still load what was built for it. */
const KEPT_MS = 24 * 60 * 60_000;

/** Modules find their files where their source is, and threads where they are built. */
function places(folder: string): Plugin {
  return {
    name: 'places',
    transform(code, id) {
      if (id.includes('/node_modules/') || !code.includes('import.meta.')) return null;
      const built = join(folder, relative(ROOT, id)).replace(/\.ts$/, '.js');
      const url = pathToFileURL(code.includes('extname(import.meta.url)') ? built : id).href;
      const placed = code
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.url', JSON.stringify(url));
      return { code: placed, map: null };
    },
  };
}

async function buildInto(folder: string): Promise<void> {
  const made = `${folder}.new`;
  rmSync(made, { recursive: true, force: true });
  const files = [...PROGRAMS, ...globSync(THREADS, { cwd: ROOT })];
  await build({
    configFile: false,
    publicDir: false,
    root: ROOT,
    logLevel: 'error',
    plugins: [places(folder)],
    ssr: { noExternal: true, external: APART },
    build: {
      ssr: true,
      outDir: made,
      target: 'esnext',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), join(ROOT, file)])),
        output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
      },
    },
  });
  renameSync(made, folder);
}

const [folder = ''] = process.argv.slice(2);
mkdirSync(BUILDS, { recursive: true });
const lock = await FileLock.wait(join(BUILDS, 'lock'), 'exclusive', PATIENCE_MS);
if (!lock) throw new Error('Another run is still building the programs of tests');
if (!existsSync(folder)) {
  for (const name of readdirSync(BUILDS)) {
    const old = join(BUILDS, name);
    if (statSync(old).isDirectory() && Date.now() - statSync(old).mtimeMs > KEPT_MS) rmSync(old, { recursive: true });
  }
  await buildInto(folder);
}
lock.release();
