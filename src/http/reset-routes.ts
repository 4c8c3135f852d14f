import type { Router } from '@koa/router';
import { choosePassword, readReset } from '../domain/people/password-resets.ts';
import { storesOfAddress } from '../domain/people/stores-of-address.ts';
import { auditAct } from './audit-people.ts';
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
    const token = textOf(body, 'token', MOST.token);
    const given = { token, password: textOf(body, 'password', MOST.password), client: addressOf(ctx) };
    const { email, personId } = await readReset(shared, token);
    const of = { actor: { kind: 'person', id: personId }, operation: 'choosePassword', fields: ['password'] } as const;
    // Each store of the person has an entry of it.
    const choose = (await storesOfAddress(shared, email)).reduce(
      (inner, { storeId }) =>
        () =>
          auditAct(ctx, people, storeId, of, inner),
      () => choosePassword(shared, given),
    );
    await choose();
    ctx.status = 204;
  });
}
