import { createHash } from 'node:crypto';
import { formatUuid } from './uuid-text.ts';

/**
 * Returns a UUID of version 7 with 74 bits of a hash in place of random ones: the same for the same time, in milliseconds,
 * and the same text. So whoever knows both knows the id, and a second row with it is refused.
 */
export function derivedId(ms: number, text: string): string {
  const id = createHash('sha256').update(text).digest().subarray(0, 16);
  id.writeUIntBE(ms, 0, 6);
  id[6] = 0x70 | ((id[6] as number) & 0x0f);
  id[8] = 0x80 | ((id[8] as number) & 0x3f);
  return formatUuid(id);
}
