import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { expectNoAutomationSendsTo } from '../../automations/stored/unnamed.ts';
import { always, type Once } from '../../kept-answers.ts';
import { invalid, ServiceError } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { type Endpoint, findEndpoint } from './find-endpoints.ts';
import { openedIfPossible, type SecretsOfEndpoints, toStored } from './sealed-secrets.ts';
import { type SecretHeaderInput, sealedHeaders, sealedHeadersOf } from './secret-headers.ts';
import { newSecret, type PreviousSecret, stillSigning } from './signing.ts';
import { problemOfUrl, type UrlRules } from './url.ts';

export interface EndpointInput {
  url: string;
  name: string;
  maxPerSecond: number;
  maxConcurrent: number;
  /** Undefined leaves them as they are. */
  secretHeaders?: readonly SecretHeaderInput[] | undefined;
}

export interface EndpointChange extends EndpointInput {
  /** Undefined leaves it as it is. */
  status: 'active' | 'disabled' | undefined;
}

/** An endpoint with the secret that signs its deliveries. */
export interface EndpointWithSecret {
  endpoint: Endpoint;
  secret: string;
}

/** Endpoints of a store that are not deleted. */
const MAX_ENDPOINTS = 50;
/** Milliseconds for which a secret signs after it was replaced, and how many do at a time. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;
const MAX_PREVIOUS = 3;

/** Throws `validation_error` for a URL that deliveries must not go to, or if the store has too many. */
export async function createEndpoint(
  db: Sql,
  storeId: string,
  input: EndpointInput,
  { rules, secrets }: { rules: UrlRules; secrets: SecretsOfEndpoints },
  once: Once<EndpointWithSecret> = always,
): Promise<EndpointWithSecret> {
  const [id, secret, url] = [newId(), newSecret(), checkedUrl(input.url, rules)];
  const headers = sealedHeaders(secrets.secrets, { storeId, id }, input.secretHeaders ?? []);
  const create = async (tx: Sql) => {
    // Several at the same time may be one too many, which does no harm.
    const { rows } = await sql`
      insert into webhook_endpoint
        (store_id, id, url, name, secret, previous_secrets, secret_headers, max_per_second, max_concurrent, tokens, tokens_at, failures,
          created_at, updated_at)
      select ${storeId}, ${id}, ${url}, ${input.name},
        ${toStored(secrets, { storeId, id }, secret)}, '[]', ${JSON.stringify(headers)}, ${input.maxPerSecond}, ${input.maxConcurrent}, 1,
        now(), 0, now(), now()
      where (
        select count(*) from webhook_endpoint where store_id = ${storeId} and deleted_at is null
      ) < ${MAX_ENDPOINTS}
      returning id`.execute(tx);
    if (rows.length === 0) {
      throw new ServiceError('validation_error', `The store already has ${MAX_ENDPOINTS} endpoints; delete one first`);
    }
    return { endpoint: (await findEndpoint(tx, storeId, id)) as Endpoint, secret };
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => create(tx))));
}

/** Undefined if the store has no such endpoint, it is deleted, or its secret can't be opened any more. */
export async function findSecret(
  db: Sql,
  storeId: string,
  id: string,
  { secrets }: Pick<SecretsOfEndpoints, 'secrets'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ secret: string }>`
    select secret from webhook_endpoint
    where store_id = ${storeId} and id = ${id} and deleted_at is null`.execute(db);
  return rows[0] && openedIfPossible(secrets, { storeId, id }, rows[0].secret);
}

/** Undefined if the store has no such endpoint. Throws `validation_error` as above, or if it is deleted. */
export async function updateEndpoint(
  db: Sql,
  storeId: string,
  id: string,
  change: EndpointChange,
  { rules, secrets: { secrets } }: { rules: UrlRules; secrets: SecretsOfEndpoints },
): Promise<Endpoint | undefined> {
  const url = checkedUrl(change.url, rules);
  const update = async (tx: Sql, stored: LockedEndpoint) => {
    const headers =
      change.secretHeaders &&
      sealedHeaders(secrets, { storeId, id }, change.secretHeaders, sealedHeadersOf(stored.secretHeaders));
    // Senders that hand over to it are to be checked anew.
    await sql`
      update sender s set checks = null, checked_at = null
      from webhook_endpoint e
      where s.store_id = ${storeId} and s.endpoint_id = ${id} and s.deleted_at is null
        and e.store_id = ${storeId} and e.id = ${id} and e.url <> ${url}`.execute(tx);
    await sql`
      update webhook_endpoint
      set url = ${url}, name = ${change.name}, max_per_second = ${change.maxPerSecond},
        max_concurrent = ${change.maxConcurrent}, updated_at = now() ${statusColumns(change.status)}
        ${headers ? sql`, secret_headers = ${JSON.stringify(headers)}` : sql``}
      where store_id = ${storeId} and id = ${id}`.execute(tx);
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => changeEndpoint(tx, storeId, id, update)));
}

function statusColumns(status: EndpointChange['status']) {
  switch (status) {
    case undefined:
      return sql``;
    case 'active':
      return sql`, disabled_at = null, disabled_reason = null, failures = 0, failing_since = null,
        last_failed_at = null, resting_until = null`;
    case 'disabled':
      return sql`, disabled_at = coalesce(disabled_at, now()), disabled_reason = coalesce(disabled_reason, 'requested')`;
  }
}

/** Replaces the secret. The one before signs as well for a day, if it can be opened. Undefined if the store has no such endpoint. */
export async function rotateSecret(
  db: Sql,
  storeId: string,
  id: string,
  secrets: SecretsOfEndpoints,
  once: Once<EndpointWithSecret | undefined> = always,
): Promise<EndpointWithSecret | undefined> {
  const secret = newSecret();
  const rotate = async (tx: Sql, { secret: replaced, previousSecrets }: LockedEndpoint) => {
    const now = Date.now();
    const signing = stillSigning(previousSecrets, now);
    if (signing.length >= MAX_PREVIOUS) {
      throw new ServiceError('validation_error', `The secret was rotated ${MAX_PREVIOUS} times within a day already`);
    }
    const previous: PreviousSecret[] = [{ secret: replaced, until: now + OVERLAP_MS }, ...signing];
    await sql`
      update webhook_endpoint
      set secret = ${toStored(secrets, { storeId, id }, secret)}, previous_secrets = ${JSON.stringify(previous)}, updated_at = now()
      where store_id = ${storeId} and id = ${id}`.execute(tx);
  };
  return await retryConflicts(db, () =>
    db.transaction().execute((tx) =>
      once(tx, async () => {
        const endpoint = await changeEndpoint(tx, storeId, id, rotate);
        return endpoint && { endpoint, secret };
      }),
    ),
  );
}

/**
 * Deletes an endpoint for good; it stays in lists, without its secrets. One that is deleted already stays as it is.
 * Throws `validation_error` while an automation that is not archived sends to it, or runs on a version of one that does, and
 * while text messages are handed over to it.
 */
export async function deleteEndpoint(db: Sql, storeId: string, id: string): Promise<Endpoint | undefined> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const found = await lockEndpoint(tx, storeId, id);
      if (!found) return undefined;
      if (!found.isDeleted) {
        await expectNoAutomationSendsTo(tx, storeId, id);
        await expectNoSenderSendsTo(tx, storeId, id);
        await sql`
          update webhook_endpoint
          set deleted_at = now(), updated_at = now(), secret = '', previous_secrets = '[]', secret_headers = '[]', resting_until = null
          where store_id = ${storeId} and id = ${id}`.execute(tx);
      }
      return await findEndpoint(tx, storeId, id);
    }),
  );
}

async function expectNoSenderSendsTo(tx: Sql, storeId: string, id: string): Promise<void> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from sender where store_id = ${storeId} and endpoint_id = ${id} and deleted_at is null limit 1`.execute(
    tx,
  );
  const [by] = rows;
  if (by) {
    const message = `The endpoint is used by the sender ${by.id} (${by.name}); delete that first`;
    throw new ServiceError('validation_error', message);
  }
}

interface LockedEndpoint {
  secret: string;
  previousSecrets: RawJson;
  secretHeaders: RawJson;
  isDeleted: boolean;
}

async function changeEndpoint(
  tx: Sql,
  storeId: string,
  id: string,
  change: (tx: Sql, endpoint: LockedEndpoint) => Promise<void>,
): Promise<Endpoint | undefined> {
  const found = await lockEndpoint(tx, storeId, id);
  if (!found) return undefined;
  if (found.isDeleted) throw deletedEndpoint();
  await change(tx, found);
  return await findEndpoint(tx, storeId, id);
}

export function deletedEndpoint(): ServiceError {
  return new ServiceError('validation_error', 'The endpoint is deleted');
}

async function lockEndpoint(tx: Sql, storeId: string, id: string): Promise<LockedEndpoint | undefined> {
  const { rows } = await sql<LockedEndpoint>`
    select secret, previous_secrets as "previousSecrets", secret_headers as "secretHeaders", deleted_at is not null as "isDeleted"
    from webhook_endpoint where store_id = ${storeId} and id = ${id}
    for update`.execute(tx);
  return rows[0];
}

function checkedUrl(text: string, rules: UrlRules): string {
  const problem = problemOfUrl(text, rules);
  if (problem) throw invalid({ path: ['url'], problem });
  // In the form in which it is called: an international name in its ASCII form.
  return new URL(text).href;
}
