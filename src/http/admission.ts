import type { Config } from '../config.ts';
import type { Callers } from '../domain/api-keys/callers.ts';
import type { Caller } from '../domain/caller.ts';
import { ServiceError } from '../domain/service-error.ts';
import { authenticate } from './authenticate.ts';
import { reasonFor } from './authorization-header.ts';
import type { AddressOf } from './client-address.ts';
import type { LoadShedder } from './load-shedder.ts';
import { type RateLimit, uncountedHeaders } from './rate-limit.ts';
import type { Ctx, Surface } from './surface.ts';

export interface AdmissionOptions {
  config: Pick<Config, 'rateLimitTiers'>;
  callers: Pick<Callers, 'authenticate' | 'authenticateSession'>;
  rateLimit: RateLimit;
  loadShedder: LoadShedder;
  addressOf: AddressOf;
}

/** Returns the caller of an admitted request. Throws `unauthorized` or `rate_limit_exceeded` for any other. */
export type Admit = (ctx: Ctx, surface: Surface) => Promise<Caller>;

/** Authenticates, then counts, so that every response of a surface states the rate limit. */
export function createAdmission({ config, callers, rateLimit, loadShedder, addressOf }: AdmissionOptions): Admit {
  return async (ctx, surface) => {
    let caller: Caller | undefined;
    try {
      if (!ctx.get('Host') && ctx.req.httpVersion === '1.1') {
        throw new ServiceError('validation_error', 'The Host header is missing');
      }
      caller = await loadShedder.run(() => ctx.state.deadline.enforce(authenticate(callers, ctx, surface, addressOf)));
    } catch (refusal) {
      // It does not count towards the rate limit.
      ctx.set(uncountedHeaders(config.rateLimitTiers));
      throw refusal;
    }
    if (caller) ctx.state.caller = caller;
    await rateLimit.count(ctx, caller);
    if (caller) return caller;
    ctx.set('WWW-Authenticate', [...surface.schemes].join(', '));
    throw new ServiceError('unauthorized', reasonFor(ctx, surface));
  };
}
