import { createHmac, randomBytes } from 'node:crypto';
import type { RawJson } from '../../../db/raw-json.ts';

export const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Returns a new secret of an endpoint, in the form that the libraries of the Standard Webhooks specification take. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * Returns the headers of an attempt at a delivery: its id, which stays the same, the time of the attempt, and one
 * signature for each secret.
 */
export function signedHeaders(
  id: string,
  at: Date,
  body: Uint8Array,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => `v1,${sign(`${id}.${timestamp}.`, body, secret)}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function sign(prefix: string, body: Uint8Array, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(prefix).update(body).digest('base64');
}

/** A secret that was replaced, and until when it signs beside its successor, in milliseconds. */
export interface PreviousSecret {
  secret: string;
  until: number;
}

/** As they are stored. */
export interface SecretColumns {
  secret: string;
  previousSecrets: RawJson;
}

export function stillSigning(previous: RawJson, now: number): PreviousSecret[] {
  return (JSON.parse(previous.text) as PreviousSecret[]).filter(({ until }) => until > now);
}
