import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds for which a code is that of a secret. */
const PERIOD = 30;
const DIGITS = 6;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The step of RFC 6238 at a time. */
export function stepAt(ms: number): number {
  return Math.floor(ms / 1000 / PERIOD);
}

/** The code of a step: HOTP of RFC 4226, by HMAC-SHA-1 as all authenticator apps have it. */
export function codeOf(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE((mac[mac.length - 1] as number) & 15) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step of a code, which may be that of now, or the one before or after, as clocks differ; undefined for any other. */
export function matchingStep(secret: Uint8Array, code: string, ms: number): number | undefined {
  if (code.length !== DIGITS || !/^\d+$/.test(code)) return undefined;
  const now = stepAt(ms);
  // All of them, whichever fits.
  const fits = [now, now + 1, now - 1].filter((step) =>
    timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code)),
  );
  return fits[0];
}

/** RFC 4648, without padding, as apps want secrets. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** What `base32` has made a text of. */
export function bytesOf(text: string): Buffer {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The address by which apps take a secret over, as the QR code has it. */
export function otpauthUri(secret: string, email: string): string {
  const issuer = 'Footfall';
  const parameters = `secret=${secret}&issuer=${issuer}&algorithm=SHA1&digits=${DIGITS}&period=${PERIOD}`;
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?${parameters}`;
}
