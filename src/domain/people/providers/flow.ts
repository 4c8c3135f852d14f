import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { digestOfToken, isToken } from '../tokens.ts';
import { ProviderRefusal } from './identity.ts';

/** Minutes in which somebody comes back from a provider. */
export const FLOW_MINUTES = 10;

/** What binds an answer of a provider to the browser that has asked: all of it follows from what the cookie has. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
}

export function secretsOfFlow(token: string): FlowSecrets {
  const derive = (name: string) => hash('sha256', `${name} ${token}`, 'base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

export interface Flow {
  storeId: string;
  /** Of the provider as it was asked. */
  version: string;
  /** A path of the dashboard. */
  returnTo: string;
  /** What the cookie of the session has that ends with it. */
  former: string | undefined;
}

/** Notes that a browser is sent to a provider; `token` is what the cookie has. */
export async function beginFlow(db: Sql, token: string, { storeId, version, returnTo, former }: Flow): Promise<void> {
  await sql`
    insert into provider_sign_in (digest, store_id, version, return_to, former, expires_at)
    values (${digestOfToken(token)}, ${storeId}, ${version}, ${returnTo}, ${former === undefined ? null : digestOfToken(former)},
      now() + make_interval(mins => ${FLOW_MINUTES}::int))`.execute(db);
}

/** A flow that somebody has come back from; `former` is a digest. */
export interface EndedFlow extends Omit<Flow, 'former'>, FlowSecrets {
  former: Buffer | null;
}

/**
 * Ends a flow, once, by what the cookie has. Throws a `ProviderRefusal` for another state, for another store than was asked for,
 * and for a flow that has ended.
 */
export async function endFlow(
  db: Sql,
  { token, state, storeId }: { token: string | undefined; state: string | null; storeId: string },
): Promise<EndedFlow> {
  if (token === undefined || !isToken(token)) throw new ProviderRefusal('expired');
  const secrets = secretsOfFlow(token);
  if (state !== secrets.state) throw new ProviderRefusal('expired');
  const { rows } = await sql<Omit<EndedFlow, keyof FlowSecrets>>`
    delete from provider_sign_in
    where digest = ${digestOfToken(token)} and expires_at > now() and store_id = ${storeId}
    returning store_id as "storeId", version, return_to as "returnTo", former`.execute(db);
  const [flow] = rows;
  if (!flow) throw new ProviderRefusal('expired');
  return { ...flow, ...secrets };
}
