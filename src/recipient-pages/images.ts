import type { Router } from '@koa/router';
import { IMAGES_PREFIX } from '../domain/images/image-path.ts';
import type { PublicImages } from '../domain/images/public-images.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { CountLink } from '../http/count-links.ts';
import type { LoadShedder } from '../http/load-shedder.ts';
import type { ResponseBudget } from '../http/response-budget.ts';
import type { State } from '../http/surface.ts';

export interface ImageRoutes {
  images: PublicImages;
  responses: ResponseBudget;
  loadShedder: LoadShedder;
  /** Counts a request for its client address. Throws `rate_limit_exceeded`. */
  count: CountLink;
}

const IMAGE_HEADERS = {
  // What is at the path never changes; without SVG among them, images run nothing, and are to load nothing either.
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/**
 * The images of messages. They are not counted: the servers of a mailbox provider ask for those of all its readers from one
 * address. What is not there is.
 */
export function imageRoutes(router: Router<State>, { images, responses, loadShedder, count }: ImageRoutes): void {
  router.get(`${IMAGES_PREFIX}:token/:file`, async (ctx) => {
    const { token = '', file = '' } = ctx.params;
    const [hash = ''] = file.split('.', 1);
    const image = await loadShedder.run(() => ctx.state.deadline.enforce(images.find(token, hash)));
    if (!image) {
      await count(ctx, undefined);
      throw new ServiceError('not_found', 'There is no such image');
    }
    ctx.set(IMAGE_HEADERS);
    ctx.set('ETag', `"${hash}"`);
    if (ctx.get('If-None-Match').includes(`"${hash}"`)) {
      ctx.status = 304;
      return;
    }
    if (ctx.method === 'GET') responses.holdUntilSent(image.storeId, ctx.res, image.bytes.length, false);
    ctx.status = 200;
    ctx.type = image.type;
    ctx.body = image.bytes;
  });
}
