/**
 * Builds the package `@footfall/client` into `dist/client` or the given folder: the output of `tsc` for `src/client`,
 * its README, and a package.json.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { exitWithHelpIfAsked } from '../src/command/help.ts';

const root = join(import.meta.dirname, '..');

export async function buildClient(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', join(root, 'src/client'), '--outDir', folder]);
  await copyFile(join(root, 'src/client/README.md'), join(folder, 'README.md'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
}

async function manifest(): Promise<object> {
  const { version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const entry = './src/client/index';
  return {
    name: '@footfall/client',
    version,
    description: "Client of Footfall's native API.",
    license,
    type: 'module',
    engines: { node: '>=20.3' },
    exports: { '.': { types: `${entry}.d.ts`, default: `${entry}.js` } },
    sideEffects: false,
  };
}

if (import.meta.main) {
  exitWithHelpIfAsked(`Builds the package @footfall/client.
Usage: npm run build:client [-- <folder>]
The default folder is dist/client. Its contents are replaced.`);
  await buildClient(resolve(process.argv[2] ?? join(root, 'dist/client')));
}
