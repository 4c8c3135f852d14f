import type { Router } from '@koa/router';
import { choosePassword, readReset } from '../domain/people/password-resets.ts';
import { auditOwn } from './audit-people.ts';
import { MOST, type PersonRoutes, readAttempt, textOf } from './person-attempts.ts';
import type { State } from './surface.ts';

/** Routes of links by which people choose a new password: none is part of the contract. */
export function resetRoutes(router: Router<State>, people: PersonRoutes): void {
  const { shared, addressOf } = people;

  router.post('/dashboard/reset', async (ctx) => {
    const body = await readAttempt(ctx, people);
    const { email } = await readReset(shared, textOf(body, 'token', MOST.token));
    ctx.body = { email };
  });

  router.post('/dashboard/reset/password', async (ctx) => {
    const body = await readAttempt(ctx, people);
    const given = {
      token: textOf(body, 'token', MOST.token),
      password: textOf(body, 'password', MOST.password),
      client: addressOf(ctx),
    };
    const { personId } = await readReset(shared, given.token);
    const of = { operation: 'choosePassword', fields: ['password'] } as const;
    await auditOwn(ctx, people, { personId }, of, () => choosePassword(shared, given));
    ctx.status = 204;
  });
}
