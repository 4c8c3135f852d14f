import { sql } from 'kysely';
import { countTokens, type RateBucket, type Tokens } from '../../../db/rate-bucket.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { BREAKER_FAILURES } from '../../../engine/breaker.ts';
import { type Secrets, Unopenable } from '../../secrets/secrets.ts';
import type { CallRequest } from '../deliveries/call-request.ts';
import { disableWithoutSecret, type Place } from '../endpoints/sealed-secrets.ts';
import { openedHeaders } from '../endpoints/secret-headers.ts';
import { signingSecrets } from '../endpoints/signing-secrets.ts';
import type { Target } from './request-of.ts';

/** Seconds for which a process has a delivery to itself, once it has taken it. Longer than an attempt may last. */
export const LEASE_S = 45;

/** A delivery that this process alone sends. Times are milliseconds. */
export interface ClaimedDelivery {
  id: string;
  body: Buffer;
  /** Null for a message. */
  request: CallRequest | null;
  /** Attempts that have failed. */
  attempt: number;
  claim: number;
  expiresAt: number | null;
  isExpired: boolean;
}

export interface Claim {
  target: Target;
  deliveries: ClaimedDelivery[];
  /** Milliseconds until more may be taken, if its rate is what limits it. */
  waitMs: number;
  /** Nothing is sent to it any more: whether it is disabled or deleted. */
  ended: 'disabled' | 'deleted' | undefined;
}

interface EndpointRow extends Tokens {
  url: string;
  secret: string;
  previousSecrets: RawJson;
  secretHeaders: RawJson;
  maxPerSecond: number;
  maxConcurrent: number;
  failures: number;
  isDeleted: boolean;
  isDisabled: boolean;
  isResting: boolean;
}

/**
 * Takes deliveries of an endpoint that are due, `most` at most and as many as its limits allow over all processes. The
 * lock of its row makes processes take turns. One whose secret can't be opened is disabled. Undefined if there is no such
 * endpoint.
 */
export async function claimDeliveries(
  db: Sql,
  storeId: string,
  endpointId: string,
  most: number,
  secrets: Secrets,
): Promise<Claim | undefined> {
  return await db.transaction().execute(async (tx) => {
    const endpoint = await lockEndpoint(tx, storeId, endpointId);
    if (!endpoint) return undefined;
    const place = { storeId, id: endpointId };
    const isClosed = endpoint.isDeleted || endpoint.isDisabled;
    const found = isClosed ? undefined : await openSecrets(tx, secrets, place, endpoint);
    const ended = endpoint.isDeleted ? 'deleted' : found ? undefined : 'disabled';
    const claim: Claim = {
      target: { endpointId, url: endpoint.url, secrets: found?.secrets ?? [], headers: found?.headers ?? {} },
      deliveries: [],
      waitMs: Math.max(0, Math.ceil(((1 - endpoint.tokens) / endpoint.maxPerSecond) * 1000)),
      ended,
    };
    const allowed = Math.min(most, allowedNow(endpoint));
    if (ended || endpoint.isResting || allowed < 1) return claim;
    claim.deliveries = await take(tx, storeId, endpointId, allowed, endpoint);
    return claim;
  });
}

/** Undefined where one can't be opened: nothing can be signed, or be let in. */
async function openSecrets(
  tx: Sql,
  secrets: Secrets,
  place: Place,
  endpoint: EndpointRow,
): Promise<Pick<Target, 'secrets' | 'headers'> | undefined> {
  try {
    return {
      secrets: signingSecrets(secrets, place, endpoint, Date.now()),
      headers: openedHeaders(secrets, place, endpoint.secretHeaders),
    };
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    await disableWithoutSecret(tx, place);
    return undefined;
  }
}

/** While it does nothing but fail, one at a time. */
function allowedNow({ maxConcurrent, underWay, tokens, failures }: EndpointRow): number {
  const concurrent = failures >= BREAKER_FAILURES ? 1 : maxConcurrent;
  return Math.min(concurrent - underWay, Math.floor(tokens));
}

async function lockEndpoint(tx: Sql, storeId: string, endpointId: string): Promise<EndpointRow | undefined> {
  const { rows } = await sql<Omit<EndpointRow, keyof Tokens>>`
    select url, secret, previous_secrets as "previousSecrets", secret_headers as "secretHeaders", max_per_second as "maxPerSecond",
      max_concurrent as "maxConcurrent", failures, deleted_at is not null as "isDeleted",
      disabled_at is not null as "isDisabled", coalesce(resting_until > clock_timestamp(), false) as "isResting"
    from webhook_endpoint
    where store_id = ${storeId} and id = ${endpointId}
    for update`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  return { ...row, ...(await countTokens(tx, BUCKET, storeId, endpointId)) };
}

const BUCKET: RateBucket = {
  owner: 'webhook_endpoint',
  queue: 'webhook_delivery',
  column: 'endpoint_id',
  isUnderWay: sql`status = 'sending'`,
};

async function take(
  tx: Sql,
  storeId: string,
  endpointId: string,
  limit: number,
  { tokens, tokensAt }: Tokens,
): Promise<ClaimedDelivery[]> {
  // By where they are: whatever the planner knows of the table, it reads no others. Whoever changes them waits for the lock.
  const { rows } = await sql<Omit<ClaimedDelivery, 'request'> & { request: RawJson | null }>`
    with chosen as (
      select ctid from webhook_delivery
      where store_id = ${storeId} and endpoint_id = ${endpointId} and due_at <= now()
      order by due_at
      limit ${limit}
      for update skip locked
    ), claimed as (
      update webhook_delivery d
      set status = 'sending', due_at = clock_timestamp() + make_interval(secs => ${LEASE_S}), claim = claim + 1
      where d.ctid = any(array(select ctid from chosen))
      returning id, body, request, attempt, claim, expires_at
    ), taken as (
      -- Counted from the time at which they were that many: what has grown meanwhile is not lost.
      update webhook_endpoint
      -- Where nothing more is due, no more than one is kept for what comes next.
      set tokens = least(
          case when (select count(*) from chosen) = ${limit}::int then ${tokens}::float8 else 1 end,
          ${tokens}::float8 - (select count(*) from claimed where expires_at is null or expires_at > now())
        ), tokens_at = ${tokensAt}::timestamptz
      where store_id = ${storeId} and id = ${endpointId}
    )
    select id, body, request, attempt, claim, (extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
      coalesce(expires_at <= now(), false) as "isExpired"
    from claimed`.execute(tx);
  return rows.map(({ request, ...row }) => ({ ...row, request: request && (JSON.parse(request.text) as CallRequest) }));
}
