import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from './process.ts';

/** A disk of its own, in memory, which can be filled up. */
export interface SmallDisk {
  path: string;
  /** Leaves no byte free. */
  fill(): Promise<void>;
  /** Takes away what filled it. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** Whether one can be mounted; usually by root on Linux alone. */
export function canMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'footfall-disk-'));
  try {
    if (!mount(path, 1)) return false;
    spawnSync('umount', [path]);
    return true;
  } finally {
    rmdirSync(path);
  }
}

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await temporaryFolder();
  if (!mount(folder.path, megabytes)) throw new Error('No disk could be mounted');
  const ballast = join(folder.path, 'ballast');
  return {
    path: folder.path,
    fill: async () => {
      const file = createWriteStream(ballast);
      const full = once(file, 'error').catch((error) => error);
      const megabyte = Buffer.alloc(1024 * 1024);
      file.on('drain', () => file.write(megabyte));
      file.write(megabyte);
      await full;
    },
    free: () => rm(ballast),
    remove: async () => {
      spawnSync('umount', [folder.path]);
      await folder.remove();
    },
  };
}

function mount(path: string, megabytes: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]).status === 0;
}
