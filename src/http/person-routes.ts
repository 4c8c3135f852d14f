import type { Router } from '@koa/router';
import { acceptInvitation, readInvitation } from '../domain/people/invitations.ts';
import { endSession, switchStore } from '../domain/people/sessions.ts';
import { signInPerson } from '../domain/people/sign-in.ts';
import { ServiceError } from '../domain/service-error.ts';
import { isId } from '../ids/uuid-v7.ts';
import { accountRoutes } from './account-routes.ts';
import { auditAct, auditFailedSignIn, auditSession } from './audit-people.ts';
import { notificationRoutes } from './notification-routes.ts';
import {
  codeOf,
  emailOf,
  fromOf,
  MOST,
  nameOf,
  type PersonRoutes,
  readAttempt,
  readOwn,
  textOf,
} from './person-attempts.ts';
import { clearPersonCookie, knownAs, personToken, setKnownCookie, setPersonCookie } from './person-cookies.ts';
import { signInPath } from './provider-paths.ts';
import { providerRoutes } from './provider-routes.ts';
import { resetRoutes } from './reset-routes.ts';
import type { Ctx, State } from './surface.ts';

/** Routes of persons who sign in to the dashboard, beside those to sign in and out: none is part of the contract. */
export function personRoutes(router: Router<State>, people: PersonRoutes, leaveKey: (ctx: Ctx) => void): void {
  const { shared } = people;

  router.post('/dashboard/invitation', async (ctx) => {
    const body = await readAttempt(ctx, people);
    const open = await readInvitation(shared, textOf(body, 'token', MOST.token));
    const { storeId, storeName, email, role, hasPassword, provider } = open;
    ctx.body = {
      ...{ store: storeName, email, role, has_password: hasPassword },
      identity_provider: provider === 'none' ? null : { path: signInPath(storeId), required: provider === 'required' },
    };
  });

  router.post('/dashboard/invitation/acceptance', async (ctx) => {
    const body = await readAttempt(ctx, people);
    const given = {
      token: textOf(body, 'token', MOST.token),
      email: body.email === undefined ? undefined : emailOf(body),
      name: body.name === undefined ? undefined : nameOf(body),
      password: textOf(body, 'password', MOST.password),
      code: codeOf(body),
      knownAs: (address: string) => knownAs(ctx, address, people.browsers),
      from: fromOf(ctx, people),
    };
    const { storeId, email: invited } = await readInvitation(shared, given.token);
    const { token, email } = await auditAct(
      ctx,
      people,
      storeId,
      { actor: { kind: 'person', id: null }, operation: 'acceptInvitation' },
      () => acceptInvitation(shared, people.secrets, given),
      ({ token: begun }) => (begun === undefined ? ASKED_FOR_CODE : endingOfSession(ctx, people, begun)),
    ).catch((error) => {
      auditFailure(ctx, people, invited ?? given.email ?? '', error);
      throw error;
    });
    if (token === undefined) return askForCode(ctx);
    await endFormer(ctx, people);
    begin(ctx, people, token, email);
    leaveKey(ctx);
  });

  accountRoutes(router, people);
  notificationRoutes(router, people);
  resetRoutes(router, people);
  providerRoutes(router, people);

  router.put('/dashboard/session/store', async (ctx) => {
    const { body } = await readOwn(ctx, people);
    const storeId = textOf(body, 'store_id', MOST.id);
    const token = isId(storeId) ? await switchStore(shared, personToken(ctx) as string, storeId) : undefined;
    if (token === undefined) throw new ServiceError('not_found', 'There is no such store');
    await auditSession(ctx, people, token, 'switchStore');
    setPersonCookie(ctx, token);
    ctx.status = 204;
  });
}

/**
 * Signs a person in with an e-mail address and a password, in a new session; false where a code is wanted beside them, and
 * nothing has changed yet.
 */
export async function signInByPassword(ctx: Ctx, people: PersonRoutes): Promise<boolean> {
  const browser = (email: unknown) => (typeof email === 'string' ? knownAs(ctx, email, people.browsers) : undefined);
  const body = await readAttempt(ctx, people, ({ email }) => browser(email));
  const credentials = { email: emailOf(body), password: textOf(body, 'password', MOST.password), code: codeOf(body) };
  const token = await signInPerson(people.shared, people.secrets, credentials, {
    knownAs: browser(credentials.email),
    former: personToken(ctx),
    from: fromOf(ctx, people),
  }).catch((error) => {
    auditFailure(ctx, people, credentials.email, error);
    throw error;
  });
  if (token === undefined) {
    askForCode(ctx);
    return false;
  }
  await auditSession(ctx, people, token, 'signIn');
  begin(ctx, people, token, credentials.email);
  return true;
}

/** The password was right; a code is wanted beside it, and nobody is signed in yet. */
const ASKED_FOR_CODE = { outcome: 'refused', status: 200 } as const;

function askForCode(ctx: Ctx): void {
  ctx.body = { second_factor: true };
}

/** Ends the session of the person who is signed in, if somebody is. */
export async function signOutPerson(ctx: Ctx, people: PersonRoutes): Promise<void> {
  clearPersonCookie(ctx);
  await endFormer(ctx, people);
}

function auditFailure(ctx: Ctx, people: PersonRoutes, email: string, error: unknown): void {
  const onFailure = (err: unknown) => people.log.warn({ err }, 'a failed sign-in is not in the audit log');
  auditFailedSignIn(ctx, { ...people, onFailure }, email, error);
}

async function endingOfSession(ctx: Ctx, { callers, addressOf }: PersonRoutes, token: string) {
  return { actorId: (await callers.authenticateSession(token, () => addressOf(ctx)))?.actor.id };
}

async function endFormer(ctx: Ctx, { shared }: PersonRoutes): Promise<void> {
  const former = personToken(ctx);
  if (former !== undefined) await endSession(shared, former);
}

function begin(ctx: Ctx, { browsers }: PersonRoutes, token: string, email: string): void {
  setPersonCookie(ctx, token);
  setKnownCookie(ctx, email, browsers);
  ctx.status = 204;
}
