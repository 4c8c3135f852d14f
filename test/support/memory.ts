/** Has test runs keep their files in memory, where the system offers that. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = /^footfall-tests-(\d+)-/;
const GIGABYTE = 1024 ** 3;
/** What a run takes at most is some 3 GB. */
const ROOM = 8 * GIGABYTE;

let folder: string | undefined;

/**
 * Makes a folder in memory that of temporary files, for this process and those that descend from it: a database of
 * 800 files is copied for nearly each file of tests, which on a disk takes twenty times as long, and most of it CPU time.
 * Nothing of a run outlives it, or the machine. Not where somebody has named a folder, or memory is scarce.
 */
export function keepInMemory(): void {
  if (process.env.TMPDIR || !isRoomy()) return;
  removeLeftovers();
  const own = mkdtempSync(join(MEMORY, `footfall-tests-${process.pid}-`));
  // Programs of tests may run as another user.
  chmodSync(own, 0o1777);
  if (canRunPrograms(own)) {
    folder = own;
    process.env.TMPDIR = own;
  } else rmSync(own, { recursive: true });
}

export function freeMemory(): void {
  if (folder) rmSync(folder, { recursive: true, force: true });
}

function isRoomy(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) >= ROOM;
}

/**
 * Of runs that were killed. A Postgres that is left of one ends when it finds its folder gone. What belongs to another
 * user is left to them.
 */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (!pid || existsSync(`/proc/${pid}`)) continue;
    try {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
}

function isRefusal(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM';
}

/** Some systems run none from there. */
function canRunPrograms(place: string): boolean {
  const program = join(place, 'program');
  writeFileSync(program, '', { mode: 0o700 });
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
}
