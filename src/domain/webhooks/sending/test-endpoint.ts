import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { type Secrets, Unopenable } from '../../secrets/secrets.ts';
import { ServiceError } from '../../service-error.ts';
import type { WithConnection } from '../../store-connections.ts';
import { type AttemptResult, isDelivered, type Send } from '../deliveries/attempt.ts';
import { type DeliveryWithAttempts, findDelivery } from '../deliveries/deliveries.ts';
import { bytesOf } from '../deliveries/message.ts';
import { deletedEndpoint } from '../endpoints/endpoints.ts';
import type { Place } from '../endpoints/sealed-secrets.ts';
import { openedHeaders } from '../endpoints/secret-headers.ts';
import type { SecretColumns } from '../endpoints/signing.ts';
import { signingSecrets } from '../endpoints/signing-secrets.ts';
import { requestOf, type Target } from './request-of.ts';

export const TEST_TYPE = 'webhook.test';
/** Milliseconds for the attempt, as somebody waits for it. */
const ATTEMPT_MS = 4_000;
/** Seconds after which another process sends it, if this one ends before. */
const LEASE_S = 45;

/**
 * Sends a message to an endpoint, one that is disabled too, and waits for what becomes of it; it is not sent again. No
 * connection to the database is held meanwhile. Undefined if the store has no such endpoint.
 */
export async function testEndpoint(
  writing: WithConnection,
  storeId: string,
  endpointId: string,
  { send, secrets }: { send: Send; secrets: Secrets },
): Promise<DeliveryWithAttempts | undefined> {
  const at = new Date();
  const delivery = { id: newId(), body: bytesOf({ type: TEST_TYPE, at: at.getTime(), data: {} }) };
  const target = await writing(storeId, (db) =>
    db.transaction().execute(async (tx) => {
      const found = await insertTest(tx, storeId, endpointId, delivery);
      return found && opened(secrets, { storeId, id: endpointId }, found, at);
    }),
  );
  if (!target) return undefined;
  const result = await send(requestOf(target, { ...delivery, request: null }, at), ATTEMPT_MS);
  return await writing(storeId, async (db) => {
    await recordTest(db, storeId, delivery.id, at, result);
    return await findDelivery(db, storeId, delivery.id);
  });
}

/** Throws `validation_error` where a secret can't be opened. */
function opened(secrets: Secrets, place: Place, stored: Tested, at: Date): Target {
  try {
    const [signing, headers] = [
      signingSecrets(secrets, place, stored, at.getTime()),
      openedHeaders(secrets, place, stored.secretHeaders),
    ];
    return { endpointId: place.id, url: stored.url, secrets: signing, headers };
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    const message =
      'The secret of the endpoint was encrypted with a SECRET_KEY that is not known any more: rotate it, and set its ' +
      'secret headers anew';
    throw new ServiceError('validation_error', message);
  }
}

interface Tested extends SecretColumns {
  url: string;
  secretHeaders: RawJson;
}

async function insertTest(
  db: Sql,
  storeId: string,
  endpointId: string,
  { id, body }: { id: string; body: Buffer },
): Promise<Tested | undefined> {
  const { rows } = await sql<Tested & { isDeleted: boolean }>`
    with endpoint as (
      select url, secret, previous_secrets, secret_headers, deleted_at from webhook_endpoint
      where store_id = ${storeId} and id = ${endpointId}
    ), inserted as (
      insert into webhook_delivery
        (store_id, id, endpoint_id, is_awaited, message_type, body, status, due_at, attempt, claim, created_at)
      select ${storeId}, ${id}, ${endpointId}, false, ${TEST_TYPE}, ${body}::bytea, 'sending',
        now() + make_interval(secs => ${LEASE_S}), 0, 1, now()
      from endpoint where deleted_at is null
    )
    select url, secret, previous_secrets as "previousSecrets", secret_headers as "secretHeaders",
      deleted_at is not null as "isDeleted"
    from endpoint`.execute(db);
  if (rows[0]?.isDeleted) throw deletedEndpoint();
  return rows[0];
}

async function recordTest(db: Sql, storeId: string, id: string, at: Date, result: AttemptResult): Promise<void> {
  await sql`
    with attempt as (
      insert into webhook_attempt (store_id, delivery_id, number, at, status, error, ms, excerpt, is_resent)
      values (${storeId}, ${id}, 1, ${at.toISOString()}, ${result.status}, ${result.error}, ${result.ms},
        ${result.excerpt}, ${result.isResent})
      on conflict do nothing
    )
    update webhook_delivery
    set status = ${isDelivered(result) ? 'delivered' : 'failed'}, due_at = null, attempt = 1, finished_at = now()
    where store_id = ${storeId} and id = ${id} and claim = 1 and status = 'sending'`.execute(db);
}
