import { randomBytes } from 'node:crypto';
import { digestOfToken } from './tokens.ts';
import { base32 } from './totp.ts';

/** So many that nobody finds one by its digest. */
const BYTES = 10;

/** `abcd-efgh-ijkl-mnop` */
export function newRecoveryCode(): string {
  return (base32(randomBytes(BYTES)).toLowerCase().match(/.{4}/g) as string[]).join('-');
}

/** What is kept of a code of a person, in whichever case and with or without its dashes. */
export function recoveryDigest(personId: string, code: string): Buffer {
  return digestOfToken(`${personId} ${code.replaceAll(/[\s-]/g, '').toLowerCase()}`);
}
