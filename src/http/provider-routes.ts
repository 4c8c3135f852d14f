import type { Router } from '@koa/router';
import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import { beginFlow, type EndedFlow, endFlow, secretsOfFlow } from '../domain/people/providers/flow.ts';
import { ProviderRefusal } from '../domain/people/providers/identity.ts';
import { findStoreWithProvider, openProvider } from '../domain/people/providers/identity-provider.ts';
import { readIdentity } from '../domain/people/providers/read-identity.ts';
import { type SignedIn, signInByProvider } from '../domain/people/providers/sign-in.ts';
import { newToken } from '../domain/people/tokens.ts';
import { isId } from '../ids/uuid-v7.ts';
import { addressSubject } from '../rate-limit/sliding-window.ts';
import { auditProvided } from './audit-people.ts';
import { fromOf, MOST, type PersonRoutes } from './person-attempts.ts';
import { personToken, setFlowCookie, setPersonCookie, takeFlowToken } from './person-cookies.ts';
import { callbackPath } from './provider-paths.ts';
import type { Ctx, State } from './surface.ts';
import { baseOf } from './surface-host.ts';

/** Requests of an address in a minute: two for each sign-in. */
const REQUESTS = 60;
/** Characters of a path to which somebody returns. */
const MAX_PATH = 1_000;
const HOME = '/dashboard';

/** Requests that wait for providers: none waits for that of another store. */
const UNDER_WAY = new FairSemaphore({
  permits: 500,
  permitsPerStore: 20,
  maxWaitingPerStore: 20,
  maxWaiting: 200,
  timeoutMs: 5_000,
  refusal: () => new ProviderRefusal('busy'),
});

/**
 * Routes by which people sign in by an identity provider: none is part of the contract, and browsers open them as pages. What
 * goes wrong is said on the page *Sign in*, by what is behind #.
 */
export function providerRoutes(router: Router<State>, people: PersonRoutes): void {
  router.get('/dashboard/sign-in/:store', (ctx) => orSay(ctx, () => begin(ctx, people, ctx.params.store as string)));
  router.get('/dashboard/sign-in/:storeId/callback', (ctx) =>
    orSay(ctx, () => end(ctx, people, ctx.params.storeId as string)),
  );
}

async function orSay(ctx: Ctx, work: () => Promise<void>): Promise<void> {
  ctx.set('Cache-Control', 'no-store');
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    ctx.redirect(`/dashboard/sign-in#${error.reason}`);
  }
}

/**
 * Sends the browser to the provider of a store, by its id or its name. Where a page of another site has led here, somebody is asked
 * first: who owns a store has its provider sign in whoever comes, without a word, in the place of the session of before.
 */
async function begin(ctx: Ctx, people: PersonRoutes, named: string): Promise<void> {
  await expectFew(ctx, people);
  const { shared, secrets, openId } = people;
  const isName = named.length <= MOST.name * 4 && !named.includes('\0') && named.isWellFormed();
  const store = isName ? await findStoreWithProvider(shared, isId(named) ? { id: named } : { name: named }) : undefined;
  const provider = store && (await openProvider(shared, secrets, store.id));
  if (!provider) throw new ProviderRefusal('no_provider');
  if (/^(?:cross|same)-site$/.test(ctx.get('Sec-Fetch-Site'))) {
    ctx.redirect(`/dashboard/sign-in#store=${encodeURIComponent(store.name)}`);
    return;
  }
  const token = newToken();
  const redirectUri = `${originOf(ctx)}${callbackPath(provider.storeId)}`;
  const url = await UNDER_WAY.run(provider.storeId, () =>
    openId.authorizationUrl(provider, { redirectUri, ...secretsOfFlow(token) }),
  );
  await beginFlow(shared, token, {
    storeId: provider.storeId,
    version: provider.version,
    returnTo: returnPath(ctx.query.return_to),
    former: personToken(ctx),
  });
  setFlowCookie(ctx, token);
  ctx.redirect(url);
}

/** Signs in who comes back from the provider of a store. */
async function end(ctx: Ctx, people: PersonRoutes, storeId: string): Promise<void> {
  const token = takeFlowToken(ctx);
  await expectFew(ctx, people);
  const state = new URLSearchParams(ctx.querystring).get('state');
  if (!isId(storeId)) throw new ProviderRefusal('expired');
  const flow = await endFlow(people.shared, { token, state, storeId });
  const { token: begun } = await auditProvided(ctx, people, storeId, () => signIn(ctx, people, flow));
  setPersonCookie(ctx, begun);
  ctx.redirect(`/dashboard/signed-in#${flow.returnTo}`);
}

async function signIn(ctx: Ctx, people: PersonRoutes, flow: EndedFlow): Promise<SignedIn> {
  const { shared, secrets, openId } = people;
  const provider = await openProvider(shared, secrets, flow.storeId);
  if (provider?.version !== flow.version) throw new ProviderRefusal('expired');
  const answer = new URL(`${originOf(ctx)}${callbackPath(flow.storeId)}${ctx.search}`);
  const claims = await UNDER_WAY.run(flow.storeId, () => openId.redeem(provider, answer, flow));
  const identity = readIdentity(claims, provider.groupsClaim);
  if (!identity) throw new ProviderRefusal('invalid');
  return await signInByProvider(shared, provider, identity, { former: flow.former, from: fromOf(ctx, people) });
}

async function expectFew(ctx: Ctx, { window, addressOf }: PersonRoutes): Promise<void> {
  const { admitted } = await window.admit(addressSubject(`${addressOf(ctx)} provider`), REQUESTS);
  if (!admitted) throw new ProviderRefusal('busy');
}

const originOf = (ctx: Ctx): string => baseOf(ctx, { prefix: '' });

/** A path of the dashboard, whatever was asked for. */
function returnPath(asked: unknown): string {
  if (typeof asked !== 'string' || asked.length > MAX_PATH) return HOME;
  const url = URL.parse(asked, 'http://dashboard.invalid');
  if (url?.host !== 'dashboard.invalid' || !/^\/dashboard(?:\/|$)/.test(url.pathname)) return HOME;
  return url.pathname.startsWith(`${HOME}/sign`) ? HOME : `${url.pathname}${url.search}${url.hash}`;
}
