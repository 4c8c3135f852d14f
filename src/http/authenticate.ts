import type { Caller } from '../domain/api-keys.ts';
import type { Callers } from '../domain/callers.ts';
import type { AddressOf } from './address.ts';
import type { Ctx, Surface } from './surface.ts';

/** The caller that the Authorization header proves; undefined where it proves none. */
export async function authenticate(
  callers: Pick<Callers, 'authenticate'>,
  ctx: Ctx,
  surface: Surface,
  addressOf: AddressOf,
): Promise<Caller | undefined> {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) +([^\s]+)$/.exec(ctx.get('Authorization').trim());
  const [, scheme, key] = match ?? [];
  if (!scheme || !key || !surface.schemes.has(scheme.toLowerCase())) return undefined;
  return callers.authenticate(key, () => addressOf(ctx));
}
