/**
 * What tests start as processes is built into a few files: the same code as `npm start` runs, of more than a thousand
 * modules, which take longer to load than to do what a test asks for.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
/** Each build has a folder in it. */
export const BUILDS = join(ROOT, 'node_modules/.cache/programs');
const SOURCES = [
  ...['{src,scripts,generated}/**/*.{ts,mjs}', 'package-lock.json'],
  'test/support/{programs,build-programs,service-thread}.ts',
];

let folder: string | undefined;

/**
 * The file that does what a program does, `src/main.ts`; made now unless an earlier run has made it from the same sources.
 * Where the project is somebody else's, it is the program itself.
 */
export function builtProgram(program: string): string {
  if (!isOurs()) return join(ROOT, program);
  folder ??= build();
  return join(folder, program.replace(/\.ts$/, '.js'));
}

function isOurs(): boolean {
  try {
    accessSync(join(ROOT, 'node_modules'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function build(): string {
  const made = join(BUILDS, hashOfSources());
  if (!existsSync(made)) {
    const builder = join(import.meta.dirname, 'build-programs.ts');
    execFileSync(process.execPath, [builder, made], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return made;
}

function hashOfSources(): string {
  const hash = createHash('sha256').update(`${process.version}\0${ROOT}\0`);
  for (const file of globSync(SOURCES, { cwd: ROOT }).sort()) {
    hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}
