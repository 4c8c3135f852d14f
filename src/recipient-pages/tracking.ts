import type { Router } from '@koa/router';
import type { Signer } from '../domain/secrets/secrets.ts';
import { ServiceError } from '../domain/service-error.ts';
import { isByMachine } from '../domain/tracking/core/asked-by.ts';
import type { HitBuffer } from '../domain/tracking/hit-buffer.ts';
import type { NewHit } from '../domain/tracking/insert-hits.ts';
import { readClick, readOpen, type TrackedToken } from '../domain/tracking/tracked-links.ts';
import type { CountLink } from '../http/count-links.ts';
import type { Ctx, State } from '../http/surface.ts';
import { newId } from '../ids/uuid-v7.ts';
import { show } from './links.ts';
import { HIDDEN_LINK, INVALID_LINK } from './page.ts';

export interface TrackingRoutes {
  trackedLinks: Signer;
  hits: Pick<HitBuffer, 'add'>;
  /** Throws `rate_limit_exceeded`. */
  count: CountLink;
}

/** A GIF of one transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * Where the links and the image of a message lead whose clicks and opens are recorded. What is recorded is written later:
 * nobody waits for the database, and a link works without it.
 */
export function trackingRoutes(router: Router<State>, { trackedLinks, hits, count }: TrackingRoutes): void {
  const record = (ctx: Ctx, { storeId, messageId, link }: TrackedToken, of: Pick<NewHit, 'kind' | 'url'>) =>
    hits.add({
      ...of,
      id: newId(),
      storeId,
      messageId,
      at: Date.now(),
      link: of.kind === 'open' ? -1 : link,
      isMachine: isByMachine(ctx.method, ctx.headers),
    });

  router.get('/m/c/:token', async (ctx) => {
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const { u } = ctx.query;
    const click = Array.isArray(u) ? undefined : readClick(trackedLinks, ctx.params.token ?? '', u);
    await count(ctx, click?.token.messageId);
    if (!click) {
      show(ctx, INVALID_LINK, 404);
      return;
    }
    record(ctx, click.token, { kind: 'click', url: click.url ?? null });
    if (click.url === undefined) {
      show(ctx, HIDDEN_LINK);
      return;
    }
    ctx.status = 302;
    ctx.set('Location', click.url);
    ctx.body = '';
  });

  router.get('/m/o/:token', async (ctx) => {
    const token = readOpen(trackedLinks, ctx.params.token ?? '');
    if (await isAdmitted(count(ctx, token?.messageId))) {
      if (token) record(ctx, token, { kind: 'open', url: null });
    }
    ctx.status = 200;
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    ctx.type = 'gif';
    ctx.body = PIXEL;
  });
}

/** An image that is not there would be a gap in the message. */
async function isAdmitted(counted: Promise<void>): Promise<boolean> {
  try {
    await counted;
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
