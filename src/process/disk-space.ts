import { statfsSync } from 'node:fs';

/** Bytes below which a disk counts as full: what Postgres takes at a time for its log of changes. */
const FULL_BYTES = 16 * 1024 * 1024;

/** The room that is left on the disk of a folder. */
export class DiskSpace {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined where the folder is gone. */
  get freeBytes(): number | undefined {
    try {
      const { bavail, bsize } = statfsSync(this.#folder);
      return bavail * bsize;
    } catch {
      return undefined;
    }
  }

  get isFull(): boolean {
    const { freeBytes } = this;
    return freeBytes !== undefined && freeBytes < FULL_BYTES;
  }
}
