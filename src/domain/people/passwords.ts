import * as crypto from 'node:crypto';
import { randomBytes, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { overloaded } from '../service-error.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/** Characters of a password. */
export const PASSWORD_LENGTH = { minimum: 12, maximum: 128 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** KiB, passes and lanes: what OWASP recommends as its first choice. */
const ARGON2 = { memory: 19_456, passes: 2, parallelism: 1 };
/** The logarithm of N, r and p: as much work as OWASP recommends, in 32 MiB. */
const SCRYPT = { ln: 15, r: 8, p: 3 };

type Argon2 = (
  algorithm: 'argon2id',
  options: { message: string; nonce: Buffer; memory: number; passes: number; parallelism: number; tagLength: number },
  done: (error: Error | null, hash: Buffer) => void,
) => void;
/** Node has it since version 24. */
const argon2 = (crypto as { argon2?: Argon2 }).argon2;
/** What the functions that there are need, by their names. */
const PARAMETERS = new Map([['scrypt', ['ln', 'r', 'p']], ...(argon2 ? [['argon2id', ['m', 't', 'p']] as const] : [])]);

/** Each takes a quarter of a second of a core, and a lot of memory: so clients take turns, by their addresses. */
const TURNS = new FairSemaphore({
  permits: 2,
  permitsPerStore: 1,
  maxWaitingPerStore: 20,
  // About as many as have their turn within the time.
  maxWaiting: 100,
  timeoutMs: 10_000,
  refusal: () => overloaded('Too many people sign in at this moment; try again in a moment'),
});

/**
 * Returns what is kept of a password: a PHC string, by the strongest function that this version of Node has. `client` is the
 * address of who sent it. Throws `upstream_error` while too many are hashed for that address or for all
 * of them, or if its turn does not come in time.
 */
export function hashPassword(password: string, client: string): Promise<string> {
  return TURNS.run(client, async () => {
    const salt = randomBytes(SALT_BYTES);
    if (!argon2) return phcOf('scrypt', SCRYPT, salt, await scryptOf(password, salt, SCRYPT));
    const { memory: m, passes: t, parallelism: p } = ARGON2;
    return phcOf('argon2id', { m, t, p }, salt, await argon2Of(password, salt, ARGON2), 19);
  });
}

/**
 * Whether a password is the one that was kept. Without one it takes as long as with one, and is never right: so nobody can
 * tell whether there is one. So it is with what can't be read, as by a function that only a later version of Node has. Throws
 * `upstream_error` as `hashPassword` does, and then has tried nothing.
 */
export function verifyPassword(password: string, kept: string | undefined, client: string): Promise<boolean> {
  return TURNS.run(client, async () => {
    const known = kept === undefined ? undefined : readPhc(kept);
    const { name, parameters, salt, hash } = known ?? parsePhc(nobodys());
    const isRight = timingSafeEqual(await hashBy(name, password, salt, parameters), hash);
    return isRight && known !== undefined;
  });
}

/** Whether a password should be hashed anew when it is known: by a better function, or with more work. */
export function isOutdated(kept: string): boolean {
  return !kept.startsWith(
    nobodys()
      .split('$', argon2 ? 4 : 3)
      .join('$'),
  );
}

/** What is wrong with a new password, as a sentence without its subject; undefined for a good one. */
export function weaknessOf(password: string, known: readonly string[]): string | undefined {
  const characters = [...password].length;
  if (characters < PASSWORD_LENGTH.minimum) return `must have at least ${PASSWORD_LENGTH.minimum} characters`;
  if (characters > PASSWORD_LENGTH.maximum) return `must have at most ${PASSWORD_LENGTH.maximum} characters`;
  const lower = password.toLowerCase();
  if (COMMON_PASSWORDS.has(lower) || new Set(lower).size < 4) return 'is one that many people choose';
  if (known.includes(lower)) return 'must not be the name or the e-mail address';
  return undefined;
}

/** A hash that no password has, with the parameters of today. */
function nobodys(): string {
  const [salt, hash] = [Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES)];
  const { memory: m, passes: t, parallelism: p } = ARGON2;
  return argon2 ? phcOf('argon2id', { m, t, p }, salt, hash, 19) : phcOf('scrypt', SCRYPT, salt, hash);
}

type Numbers = Record<string, number>;

function hashBy(name: string, password: string, salt: Buffer, given: Numbers): Promise<Buffer> {
  const { m = 0, t = 0, p = 0, ln = 0, r = 0 } = given;
  if (name === 'scrypt') return scryptOf(password, salt, { ln, r, p });
  return argon2Of(password, salt, { memory: m, passes: t, parallelism: p });
}

function argon2Of(password: string, salt: Buffer, costs: typeof ARGON2): Promise<Buffer> {
  return promisify(argon2 as Argon2)('argon2id', {
    message: password.normalize('NFC'),
    nonce: salt,
    tagLength: HASH_BYTES,
    ...costs,
  });
}

const scrypt = promisify(
  (password: string, salt: Buffer, options: ScryptOptions, done: (error: Error | null, hash: Buffer) => void) =>
    crypto.scrypt(password, salt, HASH_BYTES, options, done),
);

function scryptOf(password: string, salt: Buffer, { ln, r, p }: typeof SCRYPT): Promise<Buffer> {
  const N = 2 ** ln;
  return scrypt(password.normalize('NFC'), salt, { N, r, p, maxmem: 256 * N * r });
}

/** `$argon2id$v=19$m=19456,t=2,p=1$salt$hash` */
function phcOf(name: string, parameters: Numbers, salt: Buffer, hash: Buffer, version?: number): string {
  const numbers = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  const parts = [name, ...(version ? [`v=${version}`] : []), numbers.join(','), base64(salt), base64(hash)];
  return `$${parts.join('$')}`;
}

interface Phc {
  name: string;
  parameters: Numbers;
  salt: Buffer;
  hash: Buffer;
}

/** Undefined for what was not kept by us, or by a function that this version of Node does not have. */
function readPhc(text: string): Phc | undefined {
  const phc = parsePhc(text);
  const needed = PARAMETERS.get(phc.name);
  const isWhole = needed?.every((key) => Number.isInteger(phc.parameters[key])) && phc.hash.length === HASH_BYTES;
  return isWhole ? phc : undefined;
}

function parsePhc(text: string): Phc {
  const [, name = '', ...parts] = text.split('$');
  const [numbers = '', salt = '', hash = ''] = parts.slice(-3);
  const parameters = Object.fromEntries(numbers.split(',').map((pair) => pair.split('='))) as Record<string, string>;
  return {
    name,
    parameters: Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, Number(value)])),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}
