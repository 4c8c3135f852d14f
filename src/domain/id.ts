import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const BYTES = 16;
/** Random bytes are drawn for so many ids at once: one by one they cost more than all the rest of an id. */
const pool = new Uint8Array(512 * BYTES);
let offset = pool.length;
let lastMs = 0;
let sequence = 0;

/** A UUID of version 7. Those of one process sort in the order in which they were drawn. */
export function newId(): string {
  if (offset === pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  const random = pool.subarray(offset, offset + BYTES);
  offset += BYTES;
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // From a random start, so that the ids of two processes do not meet.
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else {
    sequence += 1;
  }
  return v7({ random, msecs: lastMs, seq: sequence });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text could be an id: what is none would be an error of the database. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** When an id of this service was drawn, in milliseconds. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Sorts before every id, and after every id. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
