import { statfsSync } from 'node:fs';

/** Bytes below which a disk counts as full: what Postgres takes at a time for its log of changes. */
const FULL_BYTES = 16 * 1024 * 1024;

/** The room that is left on the disk of a folder. */
export class FreeSpace {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get bytes(): number {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize;
  }

  get isFull(): boolean {
    return this.bytes < FULL_BYTES;
  }
}
