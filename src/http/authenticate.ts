import type { Caller } from '../domain/api-keys.ts';
import type { Callers } from '../domain/callers.ts';
import type { AddressOf } from './address.ts';
import type { Ctx, Surface } from './surface.ts';

const CREDENTIALS = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) +([^\s]+)$/;

/** The caller that the Authorization header proves; undefined where it proves none. */
export async function authenticate(
  callers: Pick<Callers, 'authenticate'>,
  ctx: Ctx,
  surface: Surface,
  addressOf: AddressOf,
): Promise<Caller | undefined> {
  const [, scheme, key] = CREDENTIALS.exec(ctx.get('Authorization').trim()) ?? [];
  if (!scheme || !key || !surface.schemes.has(scheme.toLowerCase())) return undefined;
  return callers.authenticate(key, () => addressOf(ctx));
}

/** Why there is no caller, as the client may know it. */
export function reasonFor(ctx: Ctx, { schemes, unknownScheme }: Surface): string {
  const [, scheme] = CREDENTIALS.exec(ctx.get('Authorization').trim()) ?? [];
  const isForeign = scheme !== undefined && !schemes.has(scheme.toLowerCase());
  return (isForeign && unknownScheme) || 'The API key is missing or not valid';
}
