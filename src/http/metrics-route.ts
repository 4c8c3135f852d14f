import { createHash, timingSafeEqual } from 'node:crypto';
import type { Router } from '@koa/router';
import { ServiceError } from '../domain/service-error.ts';
import type { Exposition } from '../metrics/exposition.ts';
import type { State } from './surface.ts';

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** `/metrics`: public, or only with the token if one is configured. */
export function metricsRoute(router: Router<State>, exposition: Exposition, token: string | undefined): void {
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  router.get('/metrics', async (ctx) => {
    if (expected && !timingSafeEqual(digest(ctx.get('Authorization')), expected)) {
      ctx.set('WWW-Authenticate', 'Bearer');
      throw new ServiceError('unauthorized', 'The metrics require the token that the service is configured with');
    }
    ctx.body = await exposition();
    ctx.set('Content-Type', TEXT_FORMAT);
  });
}

/** Hashes to a fixed length, so that the comparison takes the same time for any input. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
