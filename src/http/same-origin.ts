import { ServiceError } from '../domain/service-error.ts';
import type { Ctx } from './surface.ts';

/**
 * Whether a request is the dashboard's. Pages of other origins on the same host send its cookies too, but can't set this
 * header unless the service allows it, and it allows none.
 */
export function isFromDashboard(ctx: Ctx): boolean {
  return ctx.get('X-Requested-With') === 'footfall-dashboard';
}

/** Throws `forbidden` for a request that a page of another origin may have made. */
export function expectFromDashboard(ctx: Ctx): void {
  const origin = ctx.get('Origin');
  if (isFromDashboard(ctx) && (origin === '' || hostOf(origin) === ctx.host)) return;
  throw new ServiceError('forbidden', 'Only the dashboard may ask for this');
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
