import type { Ctx } from './surface.ts';

/** What scripts of a page may read of a response, besides its status and body. */
const EXPOSED = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After'].join(', ');
/** Seconds for which a browser need not ask again; browsers keep it for two hours at most. */
const MAX_AGE_SECONDS = 7200;

/** Lets pages of any origin send a request and read its response. None has credentials that a browser would add. */
export function allowAnyOrigin(ctx: Ctx): void {
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
}

/** Answers a browser that asks whether a page may send a request, which it does before those with JSON. */
export function answerPreflight(ctx: Ctx): void {
  ctx.set({
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': ctx.get('Access-Control-Request-Headers') || 'Content-Type',
    'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
    Vary: 'Access-Control-Request-Headers',
  });
  ctx.status = 204;
}
