import type { Callers } from '../domain/api-keys/callers.ts';
import type { Caller } from '../domain/caller.ts';
import { headerKey } from './authorization-header.ts';
import { sessionKey } from './browser-session.ts';
import type { AddressOf } from './client-address.ts';
import type { Ctx, Surface } from './surface.ts';

/** Returns the caller that a request's key authenticates; undefined if it is missing or not valid. */
export async function authenticate(
  callers: Pick<Callers, 'authenticate'>,
  ctx: Ctx,
  surface: Surface,
  addressOf: AddressOf,
): Promise<Caller | undefined> {
  const key = headerKey(ctx, surface) ?? (surface.hasSessions ? sessionKey(ctx) : undefined);
  return key === undefined ? undefined : callers.authenticate(key, () => addressOf(ctx));
}
