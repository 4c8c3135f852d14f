/** Slots of a Redis Cluster, each of which one master holds. */
export const SLOTS = 16_384;

/** The remainders of CRC-16/XMODEM for each byte. */
const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/** Returns the slot of a key of ASCII characters without a hash tag. */
export function hashSlot(key: string): number {
  let crc = 0;
  for (let n = 0; n < key.length; n += 1) {
    crc = ((crc << 8) ^ (TABLE[((crc >> 8) ^ key.charCodeAt(n)) & 0xff] as number)) & 0xffff;
  }
  return crc % SLOTS;
}
