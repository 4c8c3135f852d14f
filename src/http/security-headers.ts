import type { Ctx } from './surface.ts';

/**
 * Headers of responses that are data: browsers must not guess the type, show it in or load it into a page, run anything
 * in it, or cache it. What is meant to be shown, such as the docs page, replaces them.
 */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
const ENTRIES = Object.entries(SECURITY_HEADERS);
/** Seconds: a year. */
const HSTS_MAX_AGE_SECONDS = 31_536_000;

/** Sets the headers that every response starts with. `ctx.secure` trusts proxies only if configured to. */
export function setSecurityHeaders({ res, secure }: Ctx): void {
  for (const [name, value] of ENTRIES) res.setHeader(name, value);
  if (secure) res.setHeader('Strict-Transport-Security', `max-age=${HSTS_MAX_AGE_SECONDS}`);
}

/** The policy of a page that is shown: everything from this service, and no framing by others. */
export const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
