import type { ProfileIdentifierRecord } from '../db/entities/profile-identifier.ts';

/** The kinds of identifier, in the order in which they decide the profile. */
export const IDENTIFIER_KINDS = [
  'external_id',
  'email',
  'phone',
  'anonymous_id',
] as const satisfies ProfileIdentifierRecord['kind'][];
export type IdentifierKind = ProfileIdentifierRecord['kind'];

/** Who a customer is; normalised, at least one given. */
export type Identifiers = { readonly [Kind in IdentifierKind]?: string | undefined };

const MAX_EMAIL = 254;
/** What no part of an address has: spaces, controls, and characters that nobody sees. */
const HIDDEN = String.raw`\s\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202f\u2060-\u206f`;
const ATOM = String.raw`[^${HIDDEN}@"(),:;<>\[\]\\.]+`;
/** Any letters and digits, not those of ASCII alone. */
const WORD = String.raw`[^${HIDDEN}!-\/:-@\[-\x60\{-~]+`;
const LABEL = `${WORD}(?:-+${WORD})*`;
/** An e-mail address, as a regular expression, which the specs have in their patterns. */
export const EMAIL_PATTERN = String.raw`${ATOM}(?:\.${ATOM})*@${LABEL}(?:\.${LABEL})*`;
const EMAIL = new RegExp(`^${EMAIL_PATTERN}$`, 'u');
const PHONE_PUNCTUATION = /[\s().\-/·‐-―]/gu;
const PHONE = /^\+?\d{5,15}$/;

/** Trimmed and lower-cased; undefined where it is no e-mail address of at most 254 characters. */
export function normaliseEmail(value: string): string | undefined {
  const email = canonicalEmail(value);
  return email.length <= MAX_EMAIL && EMAIL.test(email) ? email : undefined;
}

/** Trimmed and lower-cased: what is kept of an e-mail address, and found by. */
export function canonicalEmail(value: string): string {
  return value.trim().toLowerCase();
}

/** Without spaces and punctuation; undefined where that leaves anything but an optional `+` and 5 to 15 digits. */
export function normalisePhone(value: string): string | undefined {
  const phone = stripPhone(value);
  return PHONE.test(phone) ? phone : undefined;
}

/** Without spaces and punctuation. */
export function stripPhone(value: string): string {
  return value.replace(PHONE_PUNCTUATION, '');
}
