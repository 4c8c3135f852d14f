import type { Ctx, Surface } from './surface.ts';

const CREDENTIALS = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) +([^\s]+)$/;

/** Returns the key in the Authorization header, if its scheme is one of the surface's. */
export function headerKey(ctx: Ctx, { schemes }: Surface): string | undefined {
  const [, scheme, key] = CREDENTIALS.exec(ctx.get('Authorization').trim()) ?? [];
  return scheme && schemes.has(scheme.toLowerCase()) ? key : undefined;
}

/** Returns why there is no caller, in words for the client. */
export function reasonFor(ctx: Ctx, { schemes, unknownScheme }: Surface): string {
  if (ctx.state.client) return `The public key in ${ctx.state.client.parameter} is missing or not valid`;
  const [, scheme] = CREDENTIALS.exec(ctx.get('Authorization').trim()) ?? [];
  const isForeign = scheme !== undefined && !schemes.has(scheme.toLowerCase());
  return (isForeign && unknownScheme) || 'The API key is missing or not valid';
}
