import { createHash } from 'node:crypto';

/** A random part of all customers, which stays the same: parts of one name from 0 to 100 that do not overlap share nobody. */
export interface Share {
  name: string;
  /** Percent; 0 by default. It belongs to the part, `to` does not. */
  from?: number;
  to: number;
}

/** As many places as the first four bytes of a digest tell apart. */
export const OF_ALL = 2 ** 32;

/** The place of a customer from 0 to below 100, drawn anew for each name. */
export function placeOf(profileId: string, name: string): number {
  const digest = createHash('sha256').update(`${name}:${profileId}`).digest();
  return (digest.readUInt32BE(0) / OF_ALL) * 100;
}

export function isInShare({ from = 0, to }: Share, place: number): boolean {
  return place >= from && place < to;
}
