import { statfsSync } from 'node:fs';

/** Bytes below which a disk counts as full: what Postgres takes at a time for its log of changes. */
const FULL_BYTES = 16 * 1024 * 1024;

/** The room that is left on the disk of a folder. */
export class FreeSpace {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined where the folder is gone. */
  get bytes(): number | undefined {
    try {
      const { bavail, bsize } = statfsSync(this.#folder);
      return bavail * bsize;
    } catch {
      return undefined;
    }
  }

  get isFull(): boolean {
    const { bytes } = this;
    return bytes !== undefined && bytes < FULL_BYTES;
  }
}
