import { randomBytes } from 'node:crypto';
import { invalid } from '../../service-error.ts';

/** 32 characters that people do not take for one another when they read them out: without I, O, 0 and 1. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Characters that are drawn at least: of 2^40 codes, nobody finds one of a million by guessing. */
const MIN_DRAWN = 8;

/** Throws `validation_error` unless a pool of generated codes, and no other, has a pattern that draws enough. */
export function expectPattern(kind: 'uploaded' | 'generated', pattern: string | null): void {
  const fail = (problem: string) => invalid({ path: ['pattern'], problem });
  if (kind === 'uploaded') {
    if (pattern !== null) throw fail('is for a pool of generated codes');
    return;
  }
  if (pattern === null) throw fail('is required for a pool of generated codes');
  if (pattern.split('#').length <= MIN_DRAWN) throw fail(`must have ${MIN_DRAWN} or more "#", each of which is drawn`);
}

/** Draws codes by a pattern. */
export function drawCodes(pattern: string, count: number): string[] {
  const bytes = randomBytes(count * pattern.length);
  return Array.from({ length: count }, (_, i) => {
    let at = i * pattern.length;
    // 256 is a multiple of 32: each character is as likely as any other.
    return pattern.replace(/#/g, () => ALPHABET[(bytes[at++] as number) % ALPHABET.length] as string);
  });
}
