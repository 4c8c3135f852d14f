import { randomBytes } from 'node:crypto';
import { FLOW_MINUTES } from '../domain/people/providers/flow.ts';
import { SESSION_DAYS } from '../domain/people/sessions.ts';
import type { Signer } from '../domain/secrets/secrets.ts';
import type { Ctx } from './surface.ts';

/** Seconds for which a browser keeps the cookie of a session: those of the session. */
const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;
const DAY_SECONDS = 24 * 60 * 60;
/** Days for which a browser is known, from the last time that the person has signed in with it. */
const KNOWN_DAYS = 180;
/** Binds an answer of an identity provider to the browser that has asked. */
const FLOW = 'footfall_provider';
/** Says that a person has signed in with this browser before. */
const KNOWN = 'footfall_known';
const SIGNATURE_BYTES = 16;

const SESSION = 'footfall_person';

/** Under TLS, a name that only this host itself can set, over TLS: no page of another host can put in a session of its own. */
const nameOf = ({ secure }: Ctx, name: string): string => (secure ? `__Host-${name}` : name);

/** What the cookie of a person's session has. */
export function personToken(ctx: Ctx): string | undefined {
  return ctx.cookies.get(nameOf(ctx, SESSION));
}

/** Has the browser keep a session where no script can read it, and no page of another site send it. */
export function setPersonCookie(ctx: Ctx, token: string): void {
  append(ctx, nameOf(ctx, SESSION), token, '/', SESSION_SECONDS);
}

/** Has it forget one, if it has one. */
export function clearPersonCookie(ctx: Ctx): void {
  if (personToken(ctx) !== undefined) append(ctx, nameOf(ctx, SESSION), '', '/', 0);
}

/** Has the browser prove, by the next time, that this person has signed in with it. */
export function setKnownCookie(ctx: Ctx, email: string, signer: Signer): void {
  const id = `${today()}-${randomBytes(12).toString('base64url')}`;
  const signature = signer.sign(signed(email, id), SIGNATURE_BYTES).toString('base64url');
  append(ctx, KNOWN, `${id}.${signature}`, '/dashboard', KNOWN_DAYS * DAY_SECONDS);
}

/** What the browser is known by if somebody has signed in with it under this address before. */
export function knownAs(ctx: Ctx, email: string, signer: Signer): string | undefined {
  const [id = '', signature = ''] = ctx.cookies.get(KNOWN)?.split('.') ?? [];
  const age = today() - Number(/^(\d+)-/.exec(id)?.[1]);
  if (!(age <= KNOWN_DAYS)) return undefined;
  return signer.verify(signed(email, id), Buffer.from(signature, 'base64url')) ? id : undefined;
}

/** In days since 1970. */
const today = (): number => Math.floor(Date.now() / 1000 / DAY_SECONDS);

const signed = (email: string, id: string): string => `${email.trim().toLowerCase()}\n${id}`;

/** What the cookie has of somebody who was sent to an identity provider; another time, it is forgotten. */
export function takeFlowToken(ctx: Ctx): string | undefined {
  const token = ctx.cookies.get(nameOf(ctx, FLOW));
  if (token !== undefined) append(ctx, nameOf(ctx, FLOW), '', '/', 0, 'Lax');
  return token;
}

/** The provider's page leads back, and so is to have it sent. */
export function setFlowCookie(ctx: Ctx, token: string): void {
  append(ctx, nameOf(ctx, FLOW), token, '/', FLOW_MINUTES * 60, 'Lax');
}

function append(
  ctx: Ctx,
  name: string,
  value: string,
  path: string,
  seconds: number,
  sameSite: 'Strict' | 'Lax' = 'Strict',
): void {
  const secure = ctx.secure ? '; Secure' : '';
  ctx.append(
    'Set-Cookie',
    `${name}=${value}; Path=${path}; HttpOnly; SameSite=${sameSite}${secure}; Max-Age=${seconds}`,
  );
}
