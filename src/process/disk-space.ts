import { statfsSync } from 'node:fs';

/** Bytes below which a disk counts as full: the size of a segment of Postgres's write-ahead log. */
const FULL_BYTES = 16 * 1024 * 1024;

/** The free space on the disk of a directory. */
export class DiskSpace {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined if the directory is gone. */
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
