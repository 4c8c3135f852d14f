import type { Router } from '@koa/router';
import { headerKey } from './authorization-header.ts';
import type { Ctx, State, Surface } from './surface.ts';

/**
 * Contains the key of the user signed in to the dashboard. No script can read it, and no page of another site send it.
 */
const COOKIE = 'footfall_session';

/**
 * Returns the key of a browser's session. Pages of other origins on the same host send the cookie too, but can't set
 * this header unless the service allows it, and it allows none.
 */
export function sessionKey(ctx: Ctx): string | undefined {
  return ctx.get('X-Requested-With') === 'footfall-dashboard' ? ctx.cookies.get(COOKIE) : undefined;
}

/**
 * Routes to sign in to the dashboard, with a key in the Authorization header as on the surface, and to sign out. A session
 * makes no other: there has to be a key.
 */
export function sessionRoutes(
  router: Router<State>,
  surface: Surface,
  admit: (ctx: Ctx, surface: Surface) => Promise<unknown>,
): void {
  router.post('/dashboard/session', async (ctx) => {
    await admit(ctx, { ...surface, hasSessions: false });
    setCookie(ctx, surface, headerKey(ctx, surface) as string);
  });
  router.delete('/dashboard/session', (ctx) => setCookie(ctx, surface, '', '; Max-Age=0'));
}

function setCookie(ctx: Ctx, { prefix }: Surface, value: string, end = ''): void {
  const secure = ctx.secure ? '; Secure' : '';
  ctx.set('Set-Cookie', `${COOKIE}=${value}; Path=${prefix}; HttpOnly; SameSite=Strict${secure}${end}`);
  ctx.status = 204;
}
