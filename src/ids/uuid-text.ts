/** Converts UUIDs between text and bytes. Each event needs several, so both ways have to be fast. */

/** The position of each of the 16 bytes in the text. */
const POSITIONS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const DIGITS = Buffer.from('0123456789abcdef');
/** The value of a hexadecimal digit, by character code. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0);
/** Overwritten each time; the dashes stay. */
const text = Buffer.from('00000000-0000-0000-0000-000000000000');

export function formatUuid(bytes: Uint8Array): string {
  for (let i = 0; i < 16; i += 1) {
    const [byte, position] = [bytes[i] as number, POSITIONS[i] as number];
    text[position] = DIGITS[byte >> 4] as number;
    text[position + 1] = DIGITS[byte & 15] as number;
  }
  return text.toString('latin1');
}

/** Writes the bytes of a UUID, whose letters may be in either case. */
export function writeUuid(uuid: string, target: Uint8Array, offset: number): void {
  const valueAt = (position: number) => VALUES[uuid.charCodeAt(position)] as number;
  for (let i = 0; i < 16; i += 1) {
    const position = POSITIONS[i] as number;
    target[offset + i] = (valueAt(position) << 4) | valueAt(position + 1);
  }
}
