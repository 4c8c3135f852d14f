import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import type { WithConnection } from '../../store-connections.ts';
import { type AttemptResult, isDelivered, type Send } from '../deliveries/attempt.ts';
import { type DeliveryWithAttempts, findDelivery } from '../deliveries/deliveries.ts';
import { bytesOf } from '../deliveries/message.ts';
import { deletedEndpoint } from '../endpoints/endpoints.ts';
import { signedHeaders, signingSecrets } from '../endpoints/signing.ts';

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
  send: Send,
): Promise<DeliveryWithAttempts | undefined> {
  const at = new Date();
  const delivery = { id: newId(), body: bytesOf({ type: TEST_TYPE, at: at.getTime(), data: {} }) };
  const endpoint = await writing(storeId, (db) => insertTest(db, storeId, endpointId, delivery));
  if (!endpoint) return undefined;
  const { url, ...secrets } = endpoint;
  const headers = signedHeaders(delivery.id, at, delivery.body, signingSecrets(secrets, at.getTime()));
  const result = await send({ endpointId, url, headers, body: delivery.body }, ATTEMPT_MS);
  return await writing(storeId, async (db) => {
    await recordTest(db, storeId, delivery.id, at, result);
    return await findDelivery(db, storeId, delivery.id);
  });
}

interface Tested {
  url: string;
  secret: string;
  previousSecrets: RawJson;
}

async function insertTest(
  db: Sql,
  storeId: string,
  endpointId: string,
  { id, body }: { id: string; body: Buffer },
): Promise<Tested | undefined> {
  const { rows } = await sql<Tested & { isDeleted: boolean }>`
    with endpoint as (
      select url, secret, previous_secrets, deleted_at from webhook_endpoint
      where store_id = ${storeId} and id = ${endpointId}
    ), inserted as (
      insert into webhook_delivery
        (store_id, id, endpoint_id, is_awaited, message_type, body, status, due_at, attempt, claim, created_at)
      select ${storeId}, ${id}, ${endpointId}, false, ${TEST_TYPE}, ${body}::bytea, 'sending',
        now() + make_interval(secs => ${LEASE_S}), 0, 1, now()
      from endpoint where deleted_at is null
    )
    select url, secret, previous_secrets as "previousSecrets", deleted_at is not null as "isDeleted"
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
