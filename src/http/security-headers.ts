import type { Ctx } from './surface.ts';

/**
 * What browsers have to heed of an answer that is data: it is what it says it is, no page may show or load it, nothing
 * in it runs, and nobody keeps it. What has to be shown, such as the page of the docs, sets its own instead.
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
const HTTPS_FOR = 31_536_000;

/** Every response begins with these. `ctx.secure` believes proxies only where the configuration does. */
export function setSecurityHeaders({ res, secure }: Ctx): void {
  for (const [name, value] of ENTRIES) res.setHeader(name, value);
  if (secure) res.setHeader('Strict-Transport-Security', `max-age=${HTTPS_FOR}`);
}

/** The policy of a page that shows something: all of it from this service, in no other's frame. */
export const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
