import { callOf } from '../../src/command/help.ts';
import { PUBLIC_SCOPE, SCOPES, type Scope } from '../../src/domain/caller.ts';
import { parseTime } from '../../src/domain/event-time.ts';
import { isPrintable } from '../../src/domain/printable.ts';
import { isId } from '../../src/ids/uuid-v7.ts';

const KEYS = callOf('keys');

export const USAGE = `Usage:
  ${KEYS} create --name N --scopes a,b [--tier standard] [--store S] [--expires-at T] [--json]
  ${KEYS} list [--store S] [--json]
  ${KEYS} revoke <id>
  ${KEYS} set-tier <id> <tier>
Scopes: ${SCOPES.join(', ')}; or ${PUBLIC_SCOPE} alone, for a public key of pages and apps.
The store named by --store is created if it does not exist.`;

export const HELP = `Creates, lists and revokes API keys, and changes their tier, with the service running or not.
${USAGE}
A secret key is shown when it is created, and never again. --json prints a line of JSON for each key.`;

/** The command was called incorrectly; the message says how. */
export class UsageError extends Error {}

export function expectPositionals(positionals: string[], count: number): void {
  if (positionals.length !== count) throw new UsageError(USAGE);
}

export function toScopes(text = ''): Scope[] {
  const scopes = text
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean);
  if (scopes.includes(PUBLIC_SCOPE)) {
    if (scopes.some((scope) => scope !== PUBLIC_SCOPE))
      throw new UsageError(`${PUBLIC_SCOPE} stands alone in --scopes`);
    return [PUBLIC_SCOPE];
  }
  const unknown = scopes.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (scopes.length === 0 || unknown.length > 0)
    throw new UsageError(`--scopes must list some of ${SCOPES.join(', ')}, or be ${PUBLIC_SCOPE}`);
  return [...new Set(scopes as Scope[])];
}

/** Names are printed in the terminal and returned by the API. */
export function checkName(option: string, text: string, maxCharacters: number): void {
  if (!isPrintable(text)) throw new UsageError(`${option} must be on one line, without control characters`);
  if ([...text].length > maxCharacters) throw new UsageError(`${option} must have at most ${maxCharacters} characters`);
}

export function checkTier(tier: string, tiers: string[]): void {
  if (!tiers.includes(tier)) throw new UsageError(`The tier must be one of ${tiers.join(', ')}`);
}

export function toExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const time = parseTime(text);
  if (!time) throw new UsageError('--expires-at must be an RFC 3339 timestamp such as 2027-01-31T00:00:00Z');
  return time;
}

export function toId(text = ''): string {
  if (!isId(text)) throw new UsageError('Give the id of a key, as list shows it');
  return text;
}
