import type { Router } from '@koa/router';
import type { Caller } from '../domain/caller.ts';
import { ServiceError } from '../domain/service-error.ts';
import { auditEntrance } from './audit-people.ts';
import { headerKey } from './authorization-header.ts';
import type { PersonRoutes } from './person-attempts.ts';
import { personToken } from './person-cookies.ts';
import { personRoutes, signInByPassword, signOutPerson } from './person-routes.ts';
import { isFromDashboard } from './same-origin.ts';
import type { Ctx, State, Surface } from './surface.ts';

/**
 * Contains the key of the user signed in to the dashboard. No script can read it, and no page of another site send it.
 */
const COOKIE = 'footfall_session';

/** Returns what a browser's session is of: a key, or a person, by what the cookie has. */
export function sessionOf(ctx: Ctx): { key?: string | undefined; token?: string | undefined } {
  if (!isFromDashboard(ctx)) return {};
  const token = personToken(ctx);
  return token === undefined ? { key: ctx.cookies.get(COOKIE) } : { token };
}

/**
 * Routes to sign in to the dashboard, with a key in the Authorization header as on the surface, or with an e-mail address
 * and a password, and to sign out. A session makes no other: there has to be a key or a password.
 */
export function sessionRoutes(
  router: Router<State>,
  surface: Surface,
  admit: (ctx: Ctx, surface: Surface) => Promise<Caller>,
  people: PersonRoutes,
): void {
  router.post('/dashboard/session', async (ctx) => {
    if (ctx.get('Authorization') === '' && ctx.is('application/json')) {
      if (await signInByPassword(ctx, people)) leaveKey(ctx, surface);
      return;
    }
    const caller = await admit(ctx, { ...surface, hasSessions: false });
    if (caller.barsSignIn) {
      throw new ServiceError('forbidden', 'Nobody may sign in to this store with an API key; use your e-mail address');
    }
    await auditEntrance(ctx, people, caller, 'signIn');
    setCookie(ctx, surface, headerKey(ctx, surface) as string);
    await signOutPerson(ctx, people);
  });
  router.delete('/dashboard/session', async (ctx) => {
    setCookie(ctx, surface, '', '; Max-Age=0');
    await signOutPerson(ctx, people);
  });
  personRoutes(router, people, (ctx) => leaveKey(ctx, surface));
}

/** A browser in which a person signs in forgets the key that it has. */
function leaveKey(ctx: Ctx, surface: Surface): void {
  if (ctx.cookies.get(COOKIE) !== undefined) setCookie(ctx, surface, '', '; Max-Age=0');
}

function setCookie(ctx: Ctx, { prefix }: Surface, value: string, end = ''): void {
  const secure = ctx.secure ? '; Secure' : '';
  ctx.append('Set-Cookie', `${COOKIE}=${value}; Path=${prefix}; HttpOnly; SameSite=Strict${secure}${end}`);
  ctx.status = 204;
}
