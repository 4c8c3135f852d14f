/** The kinds of identifier, in the order in which they decide the profile. */
export const IDENTIFIER_KINDS = ['external_id', 'email', 'phone', 'anonymous_id'] as const;
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];

/** Who a customer is; normalised, at least one given. */
export type Identifiers = { readonly [Kind in IdentifierKind]?: string | undefined };

const MAX_EMAIL = 254;
/** One `@`, no space or control character, dot-separated labels in the domain, as browsers check `input[type=email]`. */
const EMAIL =
  /^[^\s@"(),:;<>[\\\]\p{Cc}]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)*$/u;
const PHONE_PUNCTUATION = /[\s().\-/·‐-―]/gu;
const PHONE = /^\+?\d{5,15}$/;

/** Trimmed and lower-cased; undefined where it is no e-mail address of at most 254 characters. */
export function normaliseEmail(value: string): string | undefined {
  const email = canonicalEmail(value);
  const local = email.slice(0, email.lastIndexOf('@'));
  const dotted = local.startsWith('.') || local.endsWith('.') || local.includes('..');
  return email.length <= MAX_EMAIL && EMAIL.test(email) && !dotted ? email : undefined;
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
