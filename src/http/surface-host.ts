import type { Ctx, Surface } from './surface.ts';

/** Paths of the third party's API and of its script, as its clients send them. */
const AT_ROOT = /^\/+(?:api|client|onsite)\//;

/**
 * Returns the path below the compatibility surface where a request is meant for it at the root: `/api/…`, `/client/…`
 * and `/onsite/…` under one of the host names of `COMPAT_HOSTS`. Otherwise undefined.
 */
export function pathFromRoot(hosts: readonly string[], hostname: string, path: string): string | undefined {
  if (hosts.length === 0 || !AT_ROOT.test(path) || !hosts.includes(hostname.toLowerCase())) return undefined;
  return `/compat/v1${path}`;
}

/**
 * Returns the address of a surface as the client used it, from which links begin; an invalid Host header is not
 * repeated.
 */
export function baseOf(ctx: Ctx, { prefix }: Pick<Surface, 'prefix'>): string {
  const origin = `${ctx.protocol}://${ctx.host}`;
  const path = ctx.state.isAtRoot ? '/api' : prefix;
  return `${URL.canParse(origin) ? origin : `${ctx.protocol}://localhost`}${path}`;
}
