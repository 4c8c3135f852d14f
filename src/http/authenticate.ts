import { isPublicKey } from '../domain/api-keys/api-keys.ts';
import type { Callers } from '../domain/api-keys/callers.ts';
import type { Caller } from '../domain/caller.ts';
import { headerKey } from './authorization-header.ts';
import { sessionOf } from './browser-session.ts';
import type { AddressOf } from './client-address.ts';
import type { ClientPaths, Ctx, Surface } from './surface.ts';

/** Returns the caller that a request's key or session authenticates; undefined if it is missing or not valid. */
export async function authenticate(
  callers: Pick<Callers, 'authenticate' | 'authenticateSession'>,
  ctx: Ctx,
  surface: Surface,
  addressOf: AddressOf,
): Promise<Caller | undefined> {
  const client = () => addressOf(ctx);
  if (ctx.state.client) {
    const key = queryKey(ctx, ctx.state.client);
    return key === undefined ? undefined : callers.authenticate(key, client);
  }
  const inHeader = headerKey(ctx, surface);
  const session = inHeader === undefined && surface.hasSessions ? sessionOf(ctx) : {};
  if (session.token !== undefined) return callers.authenticateSession(session.token, client);
  const key = inHeader ?? session.key;
  // A public key is valid nowhere but in a client's query: it never reads.
  const caller = key === undefined || isPublicKey(key) ? undefined : await callers.authenticate(key, client);
  return caller && inHeader === undefined ? inBrowser(caller) : caller;
}

/** Who has signed in with a key is there for as long as the store allows that. */
function inBrowser(caller: Caller): Caller | undefined {
  const { actor, barsSignIn } = caller;
  if (barsSignIn || actor.kind !== 'key') return undefined;
  return { ...caller, actor: { ...actor, isInBrowser: true } };
}

function queryKey({ query }: Ctx, { parameter }: ClientPaths): string | undefined {
  const key = query[parameter];
  return typeof key === 'string' ? key : undefined;
}
