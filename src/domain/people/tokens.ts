import { hash, randomBytes } from 'node:crypto';

/** Returns 32 random bytes as a text, for a cookie or a link. Only its digest is kept. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

const FORMAT = /^[\w-]{43}$/;

export function isToken(text: string): boolean {
  return FORMAT.test(text);
}

/** The SHA-256 of a token or another text. */
export function digestOfToken(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
