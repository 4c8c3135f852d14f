import { createHmac, timingSafeEqual } from 'node:crypto';
import { expectRecent, type HookRequest, unproven } from './values.ts';

/** Takes the same time wherever they differ. */
export function isSame(one: string | Buffer, other: string | Buffer): boolean {
  const key = 'compared';
  const digest = (value: string | Buffer) => createHmac('sha256', key).update(value).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** Throws `unauthorized` unless the request has the secret of the store, as the password of HTTP Basic or as a bearer. */
export function expectSecret(authorization: string, secret: string | null): void {
  if (secret === null) throw unproven('The sender has no secret for this hook yet');
  const [, scheme = '', given = ''] = /^(basic|bearer) +(\S+)$/i.exec(authorization.trim()) ?? [];
  const text = scheme.toLowerCase() === 'basic' ? Buffer.from(given, 'base64').toString() : `:${given}`;
  const password = text.slice(text.indexOf(':') + 1);
  if (given === '' || !isSame(password, secret)) {
    throw unproven(
      'The secret is missing or not that of the sender: send it as the password of HTTP Basic, or as a bearer',
    );
  }
}

const PREFIX = 'whsec_';

/** Throws `unauthorized` unless the request is signed as the Standard Webhooks specification says. Returns its id. */
export function expectStandardWebhook({ body, header, now }: HookRequest, secret: string | null): string {
  if (secret === null) throw unproven('The sender has no secret for this hook yet');
  const named = (name: string) => header(`webhook-${name}`) || header(`svix-${name}`);
  const [id, timestamp, signatures] = [named('id'), named('timestamp'), named('signature')];
  if (id === '' || !/^\d{1,15}$/.test(timestamp) || signatures === '') {
    throw unproven('The headers webhook-id, webhook-timestamp and webhook-signature are missing');
  }
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const fits = signatures.split(' ', 20).some((one) => one.startsWith('v1,') && isSame(one.slice(3), expected));
  if (!fits) throw unproven('The signature is not that of the sender');
  expectRecent(timestamp, now);
  return id;
}
