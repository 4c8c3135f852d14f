import { randomFillSync } from 'node:crypto';
import { formatUuid } from './uuid-text.ts';

/** Random bytes are drawn for many ids at once: one by one they would cost more than the rest of an id. */
const random = new Uint8Array(4096);
/** Random bytes per id. */
const RANDOM_BYTES = 10;
let used = random.length;

const id = Buffer.alloc(16);
let lastMs = 0;
let sequence = 0;

/**
 * Returns a UUID of version 7 (RFC 9562): 48 bits of milliseconds, a 32-bit sequence and 42 random bits. Those of one
 * process sort in the order in which they were drawn.
 */
export function newId(): string {
  if (used + RANDOM_BYTES > random.length) {
    randomFillSync(random);
    used = 0;
  }
  for (let i = 6; i < 16; i += 1) id[i] = random[used++] as number;
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // From a random start, so that ids of two processes do not collide; from bytes that the id does not otherwise
    // reveal.
    sequence = id.readUInt32BE(6) >>> 1;
  } else {
    sequence += 1;
  }
  id.writeUIntBE(lastMs, 0, 6);
  id[6] = 0x70 | (sequence >>> 28);
  id[7] = sequence >>> 20;
  id[8] = 0x80 | ((sequence >>> 14) & 0x3f);
  id[9] = sequence >>> 6;
  id[10] = (sequence << 2) | ((id[10] as number) & 3);
  return formatUuid(id);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text could be an id: passing any other text to the database would be an error. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** Returns when an id of this service was drawn, in milliseconds of Unix time. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Returns a lower bound of the ids drawn at or after a time, which may be before 1970. */
export function lowestIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Sorts before every id, and after every id. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
