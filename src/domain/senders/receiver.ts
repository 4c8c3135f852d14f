import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { type Secrets, Unopenable } from '../secrets/secrets.ts';
import { invalid } from '../service-error.ts';
import { disableWithoutSecret } from '../webhooks/endpoints/sealed-secrets.ts';
import { openedHeaders } from '../webhooks/endpoints/secret-headers.ts';
import type { SecretColumns } from '../webhooks/endpoints/signing.ts';
import { signingSecrets } from '../webhooks/endpoints/signing-secrets.ts';

/** An endpoint that takes text messages. */
export interface Receiver {
  endpointId: string;
  url: string;
  /** By which what it gets is signed, the latest first. */
  secrets: readonly string[];
  /** Secret ones that it wants. */
  headers: Readonly<Record<string, string>>;
}

/** Undefined if the endpoint is disabled or deleted; one whose secret can't be opened is disabled. */
export async function readReceiver(
  db: Sql,
  storeId: string,
  endpointId: string,
  secrets: Secrets,
): Promise<Receiver | undefined> {
  const { rows } = await sql<SecretColumns & { url: string; secretHeaders: RawJson }>`
    select url, secret, previous_secrets as "previousSecrets", secret_headers as "secretHeaders" from webhook_endpoint
    where store_id = ${storeId} and id = ${endpointId} and disabled_at is null and deleted_at is null`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const place = { storeId, id: endpointId };
  try {
    const signing = signingSecrets(secrets, place, row, Date.now());
    const headers = openedHeaders(secrets, place, row.secretHeaders);
    return { endpointId, url: row.url, secrets: signing, headers };
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    await disableWithoutSecret(db, place);
    return undefined;
  }
}

/** Throws `validation_error` unless the store has the endpoint, which then is not deleted meanwhile. */
export async function expectEndpoint(tx: Sql, storeId: string, endpointId: string): Promise<void> {
  const { rows } = await sql`
    select from webhook_endpoint where store_id = ${storeId} and id = ${endpointId} and deleted_at is null
    for share`.execute(tx);
  if (rows.length === 0) throw invalid({ path: ['settings', 'endpoint_id'], problem: 'is not the id of an endpoint' });
}
