import type { Secrets } from '../../secrets/secrets.ts';
import { opened, openedIfPossible, type Place } from './sealed-secrets.ts';
import { type SecretColumns, stillSigning } from './signing.ts';

/**
 * The secrets that sign at a time, the latest first; without those before it that can't be opened any more. Throws `Unopenable`
 * for the latest.
 */
export function signingSecrets(
  secrets: Secrets,
  of: Place,
  { secret, previousSecrets }: SecretColumns,
  now: number,
): string[] {
  const before = stillSigning(previousSecrets, now).flatMap((one) => openedIfPossible(secrets, of, one.secret) ?? []);
  return [opened(secrets, of, secret), ...before];
}
