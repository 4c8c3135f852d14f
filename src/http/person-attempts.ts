import type { Sql } from '../db/sql.ts';
import type { StoreData } from '../db/store-data.ts';
import type { Callers } from '../domain/api-keys/callers.ts';
import type { Caller } from '../domain/caller.ts';
import type { Oneself } from '../domain/people/second-factors.ts';
import type { From } from '../domain/people/sessions.ts';
import { isEmailAddress, isOneLine, MOST_OF_EMAIL } from '../domain/people/texts.ts';
import type { Secrets, Signer } from '../domain/secrets/secrets.ts';
import { invalid, ServiceError } from '../domain/service-error.ts';
import type { OpenId } from '../outbound/open-id.ts';
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
  /** Asks identity providers. */
  openId: Pick<OpenId, 'authorizationUrl' | 'redeem'>;
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
export const MOST = {
  email: MOST_OF_EMAIL,
  name: 100,
  password: 1_000,
  token: 100,
  id: 100,
  code: 100,
  userAgent: 300,
};

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

interface Own {
  own: Oneself;
  caller: Caller;
  /** The store whose identity provider says who it is. */
  provider: string | undefined;
  body: Fields;
}

/**
 * Who is signed in and asks something of themself, and what they send. Throws `unauthorized` if nobody is, and `forbidden` for a
 * session by an identity provider unless it may: that of one store changes nothing that a person has in others.
 */
export async function readOwn(ctx: Ctx, people: PersonRoutes, { mayBeProvided = false } = {}): Promise<Own> {
  const { callers, addressOf, window } = people;
  expectFromDashboard(ctx);
  const session = personToken(ctx);
  const client = addressOf(ctx);
  const caller = session === undefined ? undefined : await callers.authenticateSession(session, () => client);
  if (!caller) throw new ServiceError('unauthorized', 'You are not signed in with an e-mail address and a password');
  const personId = caller.actor.id;
  expectAdmitted(ctx, await window.admit(addressSubject(`${caller.windowId} account`), REQUESTS));
  const provider = caller.actor.kind === 'person' && caller.actor.isByProvider ? caller.storeId : undefined;
  if (provider !== undefined && !mayBeProvided) {
    throw new ServiceError('forbidden', 'You are signed in with the account of your company, which changes this there');
  }
  const own = { personId, session: session as string, client };
  const body = ctx.method === 'GET' || ctx.method === 'DELETE' ? {} : await readFields(ctx, people);
  return { own, caller, provider, body };
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
  if (!isEmailAddress(email)) throw invalid({ path: ['email'], problem: 'must be an e-mail address' });
  return email;
}

export function nameOf(body: Fields): string {
  const name = textOf(body, 'name', MOST.name);
  if (!isOneLine(name)) throw invalid({ path: ['name'], problem: 'must be on one line' });
  return name;
}

export function codeOf(body: Fields): string | undefined {
  return body.code === undefined ? undefined : textOf(body, 'code', MOST.code);
}
