import type { Router } from '@koa/router';
import { readAccount, renameOneself } from '../domain/people/account.ts';
import { changePassword } from '../domain/people/own-password.ts';
import {
  disableSecondFactor,
  enableSecondFactor,
  offerSecondFactor,
  renewRecoveryCodes,
} from '../domain/people/second-factors.ts';
import { endOwnSession, listSessions } from '../domain/people/sessions.ts';
import { ServiceError } from '../domain/service-error.ts';
import { auditOwn } from './audit-people.ts';
import { type Fields, MOST, nameOf, type PersonRoutes, readOwn, textOf } from './person-attempts.ts';
import type { State } from './surface.ts';

/** Routes by which people look after themselves: none is part of the contract. */
export function accountRoutes(router: Router<State>, people: PersonRoutes): void {
  const { shared, secrets } = people;

  router.get('/dashboard/account', async (ctx) => {
    const { own, provider } = await readOwn(ctx, people, { mayBeProvided: true });
    const { name, email, secondFactor } = await readAccount(shared, own.personId);
    const sessions = await listSessions(shared, own.personId, own.session, provider);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = {
      ...{ name, email, by_provider: provider !== undefined },
      second_factor: { enabled: secondFactor.isEnabled, recovery_codes: secondFactor.recoveryCodes },
      sessions: sessions.map(({ id, address, userAgent, store, createdAt, seenAt, isThis }) => ({
        ...{ id, address, user_agent: userAgent, store, created_at: createdAt, seen_at: seenAt, is_this: isThis },
      })),
    };
  });

  router.put('/dashboard/account/name', async (ctx) => {
    const { own, body } = await readOwn(ctx, people);
    const name = nameOf(body);
    const of = { operation: 'changeName', fields: ['name'] } as const;
    await auditOwn(ctx, people, own, of, () => renameOneself(shared, own.personId, name));
    ctx.status = 204;
  });

  router.put('/dashboard/session/password', async (ctx) => {
    const { own, body } = await readOwn(ctx, people);
    const given = {
      current: textOf(body, 'current_password', MOST.password),
      password: textOf(body, 'password', MOST.password),
      session: own.session,
      client: own.client,
    };
    const of = { operation: 'changePassword', fields: ['password'] } as const;
    await auditOwn(ctx, people, own, of, () => changePassword(shared, own.personId, given));
    ctx.status = 204;
  });

  router.delete('/dashboard/account/sessions/:id', async (ctx) => {
    const { own, provider } = await readOwn(ctx, people, { mayBeProvided: true });
    const end = async () => {
      if (await endOwnSession(shared, own.personId, ctx.params.id as string, provider)) return;
      throw new ServiceError('not_found', 'There is no such session any more');
    };
    await auditOwn(ctx, people, { ...own, storeId: provider }, { operation: 'endSession' }, end);
    ctx.status = 204;
  });

  router.post('/dashboard/account/second-factor', async (ctx) => {
    const { own, body } = await readOwn(ctx, people);
    const password = textOf(body, 'password', MOST.password);
    const offer = () => offerSecondFactor(shared, secrets, password, own);
    ctx.body = await auditOwn(ctx, people, own, { operation: 'offerSecondFactor', status: 200 }, offer);
  });

  router.put('/dashboard/account/second-factor', async (ctx) => {
    const { own, body } = await readOwn(ctx, people);
    const code = textOf(body, 'code', MOST.code);
    const enable = () => enableSecondFactor(shared, secrets, code, own);
    ctx.body = {
      recovery_codes: await auditOwn(ctx, people, own, { operation: 'enableSecondFactor', status: 200 }, enable),
    };
  });

  router.post('/dashboard/account/second-factor/removal', async (ctx) => {
    const { own, body } = await readOwn(ctx, people);
    const proof = proofOf(body);
    const disable = () => disableSecondFactor(shared, secrets, proof, own);
    await auditOwn(ctx, people, own, { operation: 'disableSecondFactor' }, disable);
    ctx.status = 204;
  });

  router.post('/dashboard/account/recovery-codes', async (ctx) => {
    const { own, body } = await readOwn(ctx, people);
    const proof = proofOf(body);
    const renew = () => renewRecoveryCodes(shared, secrets, proof, own);
    ctx.body = {
      recovery_codes: await auditOwn(ctx, people, own, { operation: 'renewRecoveryCodes', status: 200 }, renew),
    };
  });
}

const proofOf = (body: Fields) => ({
  password: textOf(body, 'password', MOST.password),
  code: textOf(body, 'code', MOST.code),
});
