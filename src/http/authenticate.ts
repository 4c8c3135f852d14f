import { isPublicKey } from '../domain/api-keys/api-keys.ts';
import type { Callers } from '../domain/api-keys/callers.ts';
import type { Caller } from '../domain/caller.ts';
import { headerKey } from './authorization-header.ts';
import { sessionKey } from './browser-session.ts';
import type { AddressOf } from './client-address.ts';
import type { ClientPaths, Ctx, Surface } from './surface.ts';

/** Returns the caller that a request's key authenticates; undefined if it is missing or not valid. */
export async function authenticate(
  callers: Pick<Callers, 'authenticate'>,
  ctx: Ctx,
  surface: Surface,
  addressOf: AddressOf,
): Promise<Caller | undefined> {
  const key = ctx.state.client ? queryKey(ctx, ctx.state.client) : secretKey(ctx, surface);
  return key === undefined ? undefined : callers.authenticate(key, () => addressOf(ctx));
}

/** A public key is valid nowhere but in a client's query: it never reads. */
function secretKey(ctx: Ctx, surface: Surface): string | undefined {
  const key = headerKey(ctx, surface) ?? (surface.hasSessions ? sessionKey(ctx) : undefined);
  return key !== undefined && isPublicKey(key) ? undefined : key;
}

function queryKey({ query }: Ctx, { parameter }: ClientPaths): string | undefined {
  const key = query[parameter];
  return typeof key === 'string' ? key : undefined;
}
