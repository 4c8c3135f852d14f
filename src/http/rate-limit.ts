import type { Caller } from '../domain/api-keys.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Window } from '../limits/window.ts';
import { WINDOW_MS } from '../limits/window.ts';
import type { Ctx } from './surface.ts';

/** Requests that a tier allows in the window. One that the configuration no longer has is as the default for all keys. */
function limitOf(tiers: ReadonlyMap<string, number>, tier = 'standard'): number {
  return tiers.get(tier) ?? (tiers.get('standard') as number);
}

const subjectOf = (keyId: string) => `key:${keyId}`;

/**
 * Counts a request in the window of its key or, without a valid one, of its client address at the standard tier, and
 * says so in the headers. Throws `rate_limit_exceeded` where the window is full.
 */
export async function limitRate(
  window: Window,
  tiers: ReadonlyMap<string, number>,
  ctx: Ctx,
  caller: Caller | undefined,
): Promise<void> {
  const limit = limitOf(tiers, caller?.tier);
  const { admitted, remaining, resetSeconds } = await window.admit(
    caller ? subjectOf(caller.keyId) : `address:${ctx.ip}`,
    limit,
  );
  ctx.set('RateLimit-Limit', String(limit));
  ctx.set('RateLimit-Remaining', String(remaining));
  ctx.set('RateLimit-Reset', String(resetSeconds));
  if (!admitted) {
    const message = `More than ${limit} requests in ${WINDOW_MS / 1000} seconds`;
    throw new ServiceError('rate_limit_exceeded', message, { retryAfter: resetSeconds });
  }
}

/** The headers of a request that is not counted, because nobody can say whose key it carries. */
export function unlimitedHeaders(tiers: ReadonlyMap<string, number>): Record<string, string> {
  const standard = String(tiers.get('standard'));
  return { 'RateLimit-Limit': standard, 'RateLimit-Remaining': standard, 'RateLimit-Reset': '0' };
}

/** What a key may ask for in any 60 s, and how much of that it has. */
export interface RateLimitUse {
  limit: number;
  used: number;
}

/** Looks at the windows of keys. */
export type RateLimitUses = (keys: readonly { id: string; tier: string }[]) => Promise<RateLimitUse[]>;

export function rateLimitUses(window: Window, tiers: ReadonlyMap<string, number>): RateLimitUses {
  return async (keys) => {
    const used = await window.used(keys.map(({ id }) => subjectOf(id)));
    return keys.map(({ tier }, n) => ({ limit: limitOf(tiers, tier), used: used[n] ?? 0 }));
  };
}
