import { isIP } from 'node:net';

/** Whether a text names a network: `10.1.0.0/16`, `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && !address.includes('%') && Number(bits) <= (family === 4 ? 32 : 128);
}
