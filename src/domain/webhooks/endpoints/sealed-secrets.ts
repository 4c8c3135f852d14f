/** How the secrets of endpoints are stored: encrypted, or in clear, as versions before have stored them. */
import { sql } from 'kysely';
import type { SchemaProgress } from '../../../db/background/background-migrations.ts';
import { WEBHOOK_SECRETS_SEALED } from '../../../db/background/migrations.ts';
import type { Sql } from '../../../db/sql.ts';
import { type Secrets, Unopenable } from '../../secrets/secrets.ts';
import { PREFIX } from './signing.ts';

/** Why an endpoint is disabled whose secret was encrypted with a key that is not configured any more. */
export const SECRET_LOST = 'secret_lost';

/** What encrypts the secrets of endpoints, once every process can read that. */
export interface SecretsOfEndpoints {
  secrets: Secrets;
  isSealing: () => boolean;
}

/** What encrypts them in this process, as far as the schema is. */
export function secretsOfEndpoints(secrets: Secrets, background: SchemaProgress): SecretsOfEndpoints {
  return { secrets, isSealing: () => background.isComplete(WEBHOOK_SECRETS_SEALED) };
}

/** As it is stored from now on. */
export function toStored({ secrets, isSealing }: SecretsOfEndpoints, of: Place, secret: string): string {
  return isSealing() ? sealed(secrets, of, secret) : secret;
}

/** The endpoint of a secret. */
export interface Place {
  storeId: string;
  id: string;
}

export function sealed(secrets: Secrets, { storeId, id }: Place, secret: string): string {
  return isInClear(secret) ? secrets.seal(secret, ['webhook_endpoint', storeId, id]) : secret;
}

/** Throws `Unopenable`. Of an endpoint that is deleted it is empty. */
export function opened(secrets: Secrets, { storeId, id }: Place, stored: string): string {
  return stored === '' || isInClear(stored) ? stored : secrets.open(stored, ['webhook_endpoint', storeId, id]);
}

/** Undefined where it can't be opened. */
export function openedIfPossible(secrets: Secrets, of: Place, stored: string): string | undefined {
  try {
    return opened(secrets, of, stored);
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    return undefined;
  }
}

export function isInClear(stored: string): boolean {
  return stored.startsWith(PREFIX);
}

/** Nothing can be sent to an endpoint whose secret can't be opened: its store is to rotate it. */
export async function disableWithoutSecret(db: Sql, { storeId, id }: Place): Promise<void> {
  await sql`
    update webhook_endpoint
    set disabled_at = coalesce(disabled_at, now()), disabled_reason = coalesce(disabled_reason, ${SECRET_LOST}), updated_at = now()
    where store_id = ${storeId} and id = ${id} and deleted_at is null`.execute(db);
}
