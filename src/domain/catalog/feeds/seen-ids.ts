import { createHash } from 'node:crypto';

/**
 * The ids that have come, by 52 bits of their hashes: a million take some 50 MB. Of two that are mistaken for each other,
 * which hardly happens, one that did not come stays.
 */
export class SeenIds {
  readonly #hashes = new Set<number>();

  add(id: string): void {
    this.#hashes.add(hashOf(id));
  }

  has(id: string): boolean {
    return this.#hashes.has(hashOf(id));
  }
}

function hashOf(id: string): number {
  const hash = createHash('sha256').update(id).digest();
  return hash.readUInt32LE(0) * 2 ** 20 + (hash.readUInt32LE(4) >>> 12);
}
