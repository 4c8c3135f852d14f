import type { ProfileIdentifierRecord } from '../db/entities/profile-identifier.ts';

/** The kinds of identifier, by precedence: the first that has an owner decides the profile. */
export const IDENTIFIER_KINDS = [
  'source_id',
  'external_id',
  'email',
  'phone',
  'anonymous_id',
] as const satisfies ProfileIdentifierRecord['kind'][];
export type IdentifierKind = ProfileIdentifierRecord['kind'];

/** A customer's identifiers: normalised, at least one. */
export type Identifiers = { readonly [Kind in IdentifierKind]?: string | undefined };

const MAX_EMAIL = 254;
/** Characters that no part of an address may have: spaces, controls and invisible characters. */
const HIDDEN = String.raw`\s\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202f\u2060-\u206f`;
const ATOM = String.raw`[^${HIDDEN}@"(),:;<>\[\]\\.]+`;
/** Letters and digits of any script, not only ASCII. */
const WORD = String.raw`[^${HIDDEN}!-\/:-@\[-\x60\{-~]+`;
const LABEL = `${WORD}(?:-+${WORD})*`;
/** An e-mail address as a regular expression; also the pattern in the specs. */
export const EMAIL_PATTERN = String.raw`${ATOM}(?:\.${ATOM})*@${LABEL}(?:\.${LABEL})*`;
const EMAIL = new RegExp(`^${EMAIL_PATTERN}$`, 'u');
const PHONE_PUNCTUATION = /[\s().\-/·‐-―]/gu;
const PHONE = /^\+?\d{5,15}$/;

/** Trims and lower-cases; undefined if the result is not an e-mail address of at most 254 characters. */
export function normaliseEmail(value: string): string | undefined {
  const email = canonicalEmail(value);
  return email.length <= MAX_EMAIL && EMAIL.test(email) ? email : undefined;
}

/** Trims and lower-cases: the form in which an e-mail address is stored and looked up. */
export function canonicalEmail(value: string): string {
  return value.trim().toLowerCase();
}

/** Removes spaces and punctuation; undefined if the rest is not an optional `+` and 5 to 15 digits. */
export function normalisePhone(value: string): string | undefined {
  const phone = stripPhone(value);
  return PHONE.test(phone) ? phone : undefined;
}

/** Removes spaces and punctuation. */
export function stripPhone(value: string): string {
  return value.replace(PHONE_PUNCTUATION, '');
}
