import type { Sql } from '../db/sql.ts';
import type { StoreData } from '../db/store-data.ts';
import type { Callers } from '../domain/api-keys/callers.ts';
import type { Caller } from '../domain/caller.ts';
import type { Oneself } from '../domain/people/second-factors.ts';
import type { From } from '../domain/people/sessions.ts';
import type { Secrets, Signer } from '../domain/secrets/secrets.ts';
import { invalid, ServiceError } from '../domain/service-error.ts';
import type { Log } from '../process/log.ts';
import { addressSubject, type SlidingWindow } from '../rate-limit/sliding-window.ts';
import type { PeopleAuditing } from './audit-people.ts';
import { jsonBody, parseBody } from './json-body.ts';
import type { LoadShedder } from './load-shedder.ts';
import { personToken } from './person-cookies.ts';
import { expectAdmitted } from './rate-limit.ts';
import { expectFromDashboard } from './same-origin.ts';
import type { Ctx } from './surface.ts';

export interface PersonRoutes extends PeopleAuditing {
  /** Where persons, their sessions and invitations are. */
  shared: Sql;
  /** Where the data of stores is. */
  stores: Pick<StoreData, 'of'>;
  /** Seals second factors. */
  secrets: Secrets;
  callers: Pick<Callers, 'authenticateSession'>;
  /** Signs what says that somebody has signed in with a browser before. */
  browsers: Signer;
  window: SlidingWindow;
  loadShedder: LoadShedder;
  log: Pick<Log, 'warn'>;
}

/** Attempts of an address in a minute to sign in and to open a link; of a browser that has signed in before, apart. */
const ATTEMPTS = 20;
/** Requests of a person about themself in a minute. */
const REQUESTS = 60;
const readJson = jsonBody(['application/json'], 16 * 1024);
/** Characters of what is sent. A password is at most 128 long; what is longer is refused by that rule. */
export const MOST = { email: 254, name: 100, password: 1_000, token: 100, id: 100, code: 100, userAgent: 300 };
const EMAIL =
  /^[^\s@\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+@[^\s@\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/u;
/** A name of one line. */
const NAME = /^[^\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u;

export type Fields = Partial<Record<string, unknown>>;

/**
 * Reads the body of an attempt of the dashboard, and counts it against the address, or against the browser by what that is
 * known by: so those who share an address with many are not kept out by them.
 */
export async function readAttempt(
  ctx: Ctx,
  people: PersonRoutes,
  known: (body: Fields) => string | undefined = () => undefined,
): Promise<Fields> {
  expectFromDashboard(ctx);
  const body = await readFields(ctx, people);
  const subject = known(body) ?? people.addressOf(ctx);
  expectAdmitted(ctx, await people.window.admit(addressSubject(`${subject} sign-in`), ATTEMPTS));
  return body;
}

/** Who is signed in and asks something of themself, and what they send. Throws `unauthorized` if nobody is. */
export async function readOwn(ctx: Ctx, people: PersonRoutes): Promise<{ own: Oneself; caller: Caller; body: Fields }> {
  const { callers, addressOf, window } = people;
  expectFromDashboard(ctx);
  const session = personToken(ctx);
  const client = addressOf(ctx);
  const caller = session === undefined ? undefined : await callers.authenticateSession(session, () => client);
  if (!caller) throw new ServiceError('unauthorized', 'You are not signed in with an e-mail address and a password');
  const personId = caller.actor.id;
  expectAdmitted(ctx, await window.admit(addressSubject(`${personId} account`), REQUESTS));
  const own = { personId, session: session as string, client };
  return { own, caller, body: ctx.method === 'GET' || ctx.method === 'DELETE' ? {} : await readFields(ctx, people) };
}

async function readFields(ctx: Ctx, { addressOf, loadShedder }: PersonRoutes): Promise<Fields> {
  const budget = loadShedder.clientBodyBudget('', addressOf(ctx));
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

/** Where somebody signs in. */
export function fromOf(ctx: Ctx, { addressOf }: PersonRoutes): From {
  const userAgent = ctx.get('User-Agent').replaceAll(/[^\x20-\x7e]/g, '');
  return { address: addressOf(ctx), userAgent: userAgent.slice(0, MOST.userAgent) };
}

export function textOf(body: Fields, field: string, most: number): string {
  const value = body[field];
  if (typeof value !== 'string') throw invalid({ path: [field], problem: 'must be a string' });
  if (value.length === 0) throw invalid({ path: [field], problem: 'is required' });
  if (value.length > most) throw invalid({ path: [field], problem: `must have at most ${most} characters` });
  if (value.includes('\0')) throw invalid({ path: [field], problem: 'contains a NUL character' });
  if (!value.isWellFormed()) throw invalid({ path: [field], problem: 'is not well-formed text' });
  return value;
}

export function emailOf(body: Fields): string {
  const email = textOf(body, 'email', MOST.email).trim();
  if (!EMAIL.test(email)) throw invalid({ path: ['email'], problem: 'must be an e-mail address' });
  return email;
}

export function nameOf(body: Fields): string {
  const name = textOf(body, 'name', MOST.name);
  if (!NAME.test(name)) throw invalid({ path: ['name'], problem: 'must be on one line' });
  return name;
}

export function codeOf(body: Fields): string | undefined {
  return body.code === undefined ? undefined : textOf(body, 'code', MOST.code);
}
