import type { ProfileIdentifierRecord } from '../db/entities/profile-identifier.ts';
import { readEmail } from './canonical/email.ts';
import { readPhone } from './canonical/phone.ts';
import type { Canonical, Spellings } from './canonical/spellings.ts';

/** The kinds of identifier, by precedence: the first that has an owner decides the profile. */
export const IDENTIFIER_KINDS = [
  'source_id',
  'external_id',
  'email',
  'phone',
  'anonymous_id',
] as const satisfies ProfileIdentifierRecord['kind'][];
export type IdentifierKind = ProfileIdentifierRecord['kind'];

type Values = { readonly [Kind in IdentifierKind]?: string | undefined };

/** A customer's identifiers: canonical, at least one. */
export interface Identifiers extends Values {
  /** Absent where each has a single spelling, as nearly all have. */
  readonly spellings?: { readonly email?: Spellings | undefined; readonly phone?: Spellings | undefined } | undefined;
}

/**
 * Brings identifiers that were sent to their canonical form; what is no address or number is left out. `country` is that
 * of the store, if it has set one.
 */
export function canonicalIdentifiers(given: Values, country: string | null): Identifiers {
  const email = given.email === undefined ? undefined : readEmail(given.email);
  const phone = given.phone === undefined ? undefined : readPhone(given.phone, country);
  // All members, and always in the same order: V8 then knows one shape of them.
  return {
    external_id: given.external_id,
    email: email?.value,
    phone: phone?.value,
    source_id: given.source_id,
    anonymous_id: given.anonymous_id,
    spellings: email?.spellings || phone?.spellings ? { email: email?.spellings, phone: phone?.spellings } : undefined,
  };
}

/** Returns the values by which the owner of a given identifier is found, by precedence. */
export function lookedUpAs(identifiers: Identifiers, kind: IdentifierKind, value: string): readonly string[] {
  return spellingsOf(identifiers, kind, value)?.lookedUp ?? [value];
}

/** Returns the values that belong to the owner of a given identifier. */
export function ownedAs(identifiers: Identifiers, kind: IdentifierKind, value: string): readonly string[] {
  return spellingsOf(identifiers, kind, value)?.owned ?? [value];
}

/** Returns a given identifier as it is shown. */
export function shownAs(identifiers: Identifiers, kind: IdentifierKind, value: string): string {
  return spellingsOf(identifiers, kind, value)?.shown ?? value;
}

function spellingsOf(identifiers: Identifiers, kind: IdentifierKind, value: string): Spellings | undefined {
  const isSpelt = kind === 'email' || kind === 'phone';
  return isSpelt && identifiers[kind] === value ? identifiers.spellings?.[kind] : undefined;
}

/** Returns all values under which the owner of an identifier may be stored; none for what could not be read. */
export function allSpellings(read: Canonical | undefined): readonly string[] {
  return read ? (read.spellings?.lookedUp ?? [read.value]) : [];
}

export function isEmail(text: string): boolean {
  return readEmail(text) !== undefined;
}

export function isPhone(text: string): boolean {
  return readPhone(text, null) !== undefined;
}
