import { isIPv4, isIPv6 } from 'node:net';
import type { Ctx } from './surface.ts';

/** Returns the address under which a request's client is counted. */
export type AddressOf = (ctx: Ctx) => string;

/** `ipv6Prefix` is the number of leading bits that a client's IPv6 addresses share. */
export function addressOfClients(ipv6Prefix: number): AddressOf {
  return (ctx) => countedAddress(ctx.ip, ipv6Prefix) ?? countedAddress(ctx.req.socket.remoteAddress, ipv6Prefix) ?? '';
}

/**
 * Returns an IPv4 address, also if it is written as an IPv6 one, or the network of an IPv6 address, without a port that
 * a proxy has appended. Undefined if the text is not an address.
 */
export function countedAddress(text = '', ipv6Prefix: number): string | undefined {
  const [, bracketed, , dotted] = /^(?:\[(.*)\](:\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const network = groups.map((group, n) => group & mask(ipv6Prefix - 16 * n));
  return `${network.map((group) => group.toString(16)).join(':')}/${ipv6Prefix}`;
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const hexadecimal = address.replace(/%.*$/, '').replace(/[\d.]+\.[\d.]+$/, toHexadecimal);
  const [head = '', tail] = hexadecimal.split('::');
  const split = (part: string) => (part === '' ? [] : part.split(':'));
  const [first, last] = [split(head), split(tail ?? '')];
  const zeros: string[] = Array(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16));
}

/** `203.0.113.7` → `cb00:7107`, the hexadecimal form of the end of an IPv6 address. */
function toHexadecimal(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Returns a mask of the first bits of a 16-bit group. */
function mask(bits: number): number {
  if (bits >= 16) return 0xffff;
  return bits <= 0 ? 0 : (0xffff << (16 - bits)) & 0xffff;
}
