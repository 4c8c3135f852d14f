import type { ServiceError } from '../domain/service-error.ts';
import type { Log } from '../process/log.ts';
import { respond, sendRendered } from './respond.ts';
import { STATUS_OF_CODE } from './status.ts';
import type { Ctx, Middleware, Surface } from './surface.ts';
import { toServiceError } from './to-service-error.ts';

/**
 * Renders every error of a request itself and rethrows none: Koa's own handling would drop headers that are already
 * set, such as the rate limit's. `fallback` renders errors outside the surfaces.
 */
export function errorBoundary(log: Log, fallback: Surface): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toServiceError(thrown);
      ctx.state.error = error;
      const { code } = error;
      const { requestId, trace } = ctx.state;
      if (STATUS_OF_CODE[code] >= 500) {
        log.error({ err: error.cause ?? error, request_id: requestId, ...trace, code }, 'request failed');
      }
      writeError(ctx, error, fallback);
    }
  };
}

function writeError(ctx: Ctx, error: ServiceError, fallback: Surface): void {
  const surface = ctx.state.surface ?? fallback;
  if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter));
  const status = surface.statusOf(error.code);
  if (error.rendered) sendRendered(ctx, surface, status, error.rendered);
  else respond(ctx, surface, status, surface.renderError(error, ctx.state.requestId));
}
