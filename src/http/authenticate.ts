import type { Caller } from '../domain/api-keys/api-keys.ts';
import type { Callers } from '../domain/api-keys/callers.ts';
import { sessionKey } from './browser-session.ts';
import type { AddressOf } from './client-address.ts';
import type { Ctx, Surface } from './surface.ts';

const CREDENTIALS = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) +([^\s]+)$/;

/** The caller that the key of a request proves; undefined where it proves none. */
export async function authenticate(
  callers: Pick<Callers, 'authenticate'>,
  ctx: Ctx,
  surface: Surface,
  addressOf: AddressOf,
): Promise<Caller | undefined> {
  const key = headerKey(ctx, surface) ?? (surface.hasSessions ? sessionKey(ctx) : undefined);
  return key === undefined ? undefined : callers.authenticate(key, () => addressOf(ctx));
}

/** The key in the Authorization header, under a scheme word of the surface. */
export function headerKey(ctx: Ctx, { schemes }: Surface): string | undefined {
  const [, scheme, key] = CREDENTIALS.exec(ctx.get('Authorization').trim()) ?? [];
  return scheme && schemes.has(scheme.toLowerCase()) ? key : undefined;
}

/** Why there is no caller, as the client may know it. */
export function reasonFor(ctx: Ctx, { schemes, unknownScheme }: Surface): string {
  const [, scheme] = CREDENTIALS.exec(ctx.get('Authorization').trim()) ?? [];
  const isForeign = scheme !== undefined && !schemes.has(scheme.toLowerCase());
  return (isForeign && unknownScheme) || 'The API key is missing or not valid';
}
