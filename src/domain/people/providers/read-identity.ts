import { isEmailAddress, oneLine } from '../texts.ts';
import type { Identity } from './identity.ts';

/** Groups that are looked at, and characters of what is kept. */
const MOST = { groups: 1_000, name: 100, subject: 255, issuer: 512 };

/** Reads what a token says, of which everything is what a provider chooses; undefined if it does not say who it is. */
export function readIdentity(claims: Readonly<Record<string, unknown>>, groupsClaim: string): Identity | undefined {
  const { iss: issuer, sub: subject } = claims;
  if (!isId(issuer, MOST.issuer) || !isId(subject, MOST.subject)) return undefined;
  const email = emailOf(claims);
  const name = [claims.name, claims.preferred_username, email, subject]
    .map(lineOf)
    .find((line) => line !== '') as string;
  return { issuer, subject, email, name, groups: groupsOf(claims[groupsClaim]) };
}

function isId(value: unknown, most: number): value is string {
  return (
    typeof value === 'string' && value !== '' && value.length <= most && !value.includes('\0') && value.isWellFormed()
  );
}

function emailOf({ email, email_verified: isVerified }: Readonly<Record<string, unknown>>): string | undefined {
  if (isVerified !== true || typeof email !== 'string') return undefined;
  const address = email.trim().toLowerCase();
  return isEmailAddress(address) ? address : undefined;
}

function lineOf(value: unknown): string {
  return typeof value === 'string' ? oneLine(value).slice(0, MOST.name).toWellFormed().trim() : '';
}

function groupsOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value.slice(0, MOST.groups) : [value];
  return values.filter((one) => typeof one === 'string');
}
