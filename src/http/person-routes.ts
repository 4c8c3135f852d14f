import type { Router } from '@koa/router';
import type { Sql } from '../db/sql.ts';
import type { Callers } from '../domain/api-keys/callers.ts';
import type { Caller } from '../domain/caller.ts';
import { acceptInvitation, readInvitation } from '../domain/people/invitations.ts';
import { changePassword } from '../domain/people/people.ts';
import { endSession, switchStore } from '../domain/people/sessions.ts';
import { signInPerson } from '../domain/people/sign-in.ts';
import type { Signer } from '../domain/secrets/secrets.ts';
import { invalid, ServiceError } from '../domain/service-error.ts';
import { isId } from '../ids/uuid-v7.ts';
import type { Log } from '../process/log.ts';
import { addressSubject, type SlidingWindow } from '../rate-limit/sliding-window.ts';
import { auditAct, auditFailedSignIn, auditSession, type PeopleAuditing } from './audit-people.ts';
import type { AddressOf } from './client-address.ts';
import { jsonBody, parseBody } from './json-body.ts';
import type { LoadShedder } from './load-shedder.ts';
import { clearPersonCookie, knownAs, personToken, setKnownCookie, setPersonCookie } from './person-cookies.ts';
import { expectAdmitted } from './rate-limit.ts';
import { expectFromDashboard } from './same-origin.ts';
import type { Ctx, State } from './surface.ts';

export interface PersonRoutes extends PeopleAuditing {
  /** Where persons, their sessions and invitations are. */
  shared: Sql;
  callers: Pick<Callers, 'authenticateSession'>;
  /** Signs what says that somebody has signed in with a browser before. */
  browsers: Signer;
  window: SlidingWindow;
  addressOf: AddressOf;
  loadShedder: LoadShedder;
  log: Pick<Log, 'warn'>;
}

/** Attempts of an address in a minute: to sign in, to open a link and to change a password. */
const ATTEMPTS = 20;
const readJson = jsonBody(['application/json'], 16 * 1024);
/** Characters of what is sent. A password is at most 128 long; what is longer is refused by that rule. */
const MOST = { email: 254, name: 100, password: 1_000, token: 100, id: 100 };
const EMAIL =
  /^[^\s@\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+@[^\s@\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/u;
/** A name of one line. */
const NAME = /^[^\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u;

type Fields = Partial<Record<string, unknown>>;

/** Routes of persons who sign in to the dashboard, beside those to sign in and out: none is part of the contract. */
export function personRoutes(router: Router<State>, people: PersonRoutes, leaveKey: (ctx: Ctx) => void): void {
  const { shared } = people;

  router.post('/dashboard/invitation', async (ctx) => {
    const body = await readAttempt(ctx, people);
    const { storeName, email, role, hasPassword } = await readInvitation(shared, textOf(body, 'token', MOST.token));
    ctx.body = { store: storeName, email, role, has_password: hasPassword };
  });

  router.post('/dashboard/invitation/acceptance', async (ctx) => {
    const body = await readAttempt(ctx, people);
    const given = {
      token: textOf(body, 'token', MOST.token),
      email: body.email === undefined ? undefined : emailOf(body),
      name: body.name === undefined ? undefined : nameOf(body),
      password: textOf(body, 'password', MOST.password),
      client: people.addressOf(ctx),
    };
    const { storeId } = await readInvitation(shared, given.token);
    const { token, email } = await auditAct(
      ctx,
      people,
      storeId,
      { actor: { kind: 'person', id: null }, operation: 'acceptInvitation' },
      () => acceptInvitation(shared, given),
      async ({ token: begun }) => (await callerOf(ctx, people, begun))?.actor.id,
    );
    await endFormer(ctx, people);
    begin(ctx, people, token, email);
    leaveKey(ctx);
  });

  router.put('/dashboard/session/password', async (ctx) => {
    const body = await readAttempt(ctx, people);
    const person = await personOf(ctx, people);
    const given = {
      current: textOf(body, 'current_password', MOST.password),
      password: textOf(body, 'password', MOST.password),
      session: personToken(ctx) as string,
      client: people.addressOf(ctx),
    };
    const { kind, id } = person.actor;
    const of = { actor: { kind, id }, operation: 'changePassword', fields: ['password'] } as const;
    await auditAct(ctx, people, person.storeId, of, () => changePassword(shared, id, given));
    ctx.status = 204;
  });

  router.put('/dashboard/session/store', async (ctx) => {
    const body = await readAttempt(ctx, people);
    await personOf(ctx, people);
    const storeId = textOf(body, 'store_id', MOST.id);
    const token = isId(storeId) ? await switchStore(shared, personToken(ctx) as string, storeId) : undefined;
    if (token === undefined) throw new ServiceError('not_found', 'There is no such store');
    await auditSession(ctx, people, token, 'switchStore');
    setPersonCookie(ctx, token);
    ctx.status = 204;
  });
}

/** Signs a person in with an e-mail address and a password, in a new session. */
export async function signInByPassword(ctx: Ctx, people: PersonRoutes): Promise<void> {
  const body = await readAttempt(ctx, people);
  const credentials = { email: emailOf(body), password: textOf(body, 'password', MOST.password) };
  const token = await signInPerson(people.shared, credentials, {
    knownAs: knownAs(ctx, credentials.email, people.browsers),
    former: personToken(ctx),
    client: people.addressOf(ctx),
  }).catch((error) => {
    const onFailure = (err: unknown) => people.log.warn({ err }, 'a failed sign-in is not in the audit log');
    auditFailedSignIn(ctx, { ...people, onFailure }, credentials.email, error);
    throw error;
  });
  await auditSession(ctx, people, token, 'signIn');
  begin(ctx, people, token, credentials.email);
}

/** Ends the session of the person who is signed in, if somebody is. */
export async function signOutPerson(ctx: Ctx, people: PersonRoutes): Promise<void> {
  clearPersonCookie(ctx);
  await endFormer(ctx, people);
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

/** Throws `unauthorized` unless somebody is signed in. */
async function personOf(ctx: Ctx, people: PersonRoutes): Promise<Caller> {
  const token = personToken(ctx);
  const caller = token === undefined ? undefined : await callerOf(ctx, people, token);
  if (!caller) throw new ServiceError('unauthorized', 'You are not signed in with an e-mail address and a password');
  return caller;
}

function callerOf(ctx: Ctx, { callers, addressOf }: PersonRoutes, token: string): Promise<Caller | undefined> {
  return callers.authenticateSession(token, () => addressOf(ctx));
}

/** Reads the body of an attempt of the dashboard, and counts it against the address. */
async function readAttempt(ctx: Ctx, { window, addressOf, loadShedder }: PersonRoutes): Promise<Fields> {
  expectFromDashboard(ctx);
  const address = addressOf(ctx);
  expectAdmitted(ctx, await window.admit(addressSubject(`${address} sign-in`), ATTEMPTS));
  const budget = loadShedder.clientBodyBudget('', address);
  try {
    const body = parseBody(await readJson(ctx, budget));
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw invalid({ path: [], problem: 'must be an object' });
    }
    return body as Fields;
  } finally {
    budget.release();
  }
}

function textOf(body: Fields, field: string, most: number): string {
  const value = body[field];
  if (typeof value !== 'string') throw invalid({ path: [field], problem: 'must be a string' });
  if (value.length === 0) throw invalid({ path: [field], problem: 'is required' });
  if (value.length > most) throw invalid({ path: [field], problem: `must have at most ${most} characters` });
  if (value.includes('\0')) throw invalid({ path: [field], problem: 'contains a NUL character' });
  if (!value.isWellFormed()) throw invalid({ path: [field], problem: 'is not well-formed text' });
  return value;
}

function emailOf(body: Fields): string {
  const email = textOf(body, 'email', MOST.email).trim();
  if (!EMAIL.test(email)) throw invalid({ path: ['email'], problem: 'must be an e-mail address' });
  return email;
}

function nameOf(body: Fields): string {
  const name = textOf(body, 'name', MOST.name);
  if (!NAME.test(name)) throw invalid({ path: ['name'], problem: 'must be on one line' });
  return name;
}
