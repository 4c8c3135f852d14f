import type { Operations } from '../../generated/native/operations.gen.ts';
import { imageTokenOf } from '../domain/images/image-path.ts';
import { createImage as create, type StoredImage } from '../domain/images/images.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { imagesAt, renderImage } from './representations/image.ts';

export function createImage(
  writing: WithConnection,
  publicUrl: string | undefined,
): Handler<Operations, 'createImage'> {
  return async ({ request, caller, base }) => {
    const { storeId } = caller;
    const { name, data } = request.body;
    let token = '';
    return await performOnce(
      caller,
      { operation: 'createImage', key: request.body.idempotency_key, request },
      {
        perform: (once: Once<StoredImage>) =>
          writing(storeId, async (db, shared) => {
            token = await imageTokenOf(shared, storeId);
            return await create(db, storeId, { name, data }, once);
          }),
        answer: ({ image, isKnown }) => ({
          status: isKnown ? (200 as const) : (201 as const),
          body: renderImage(image, token, imagesAt(publicUrl, base)),
          isRepeatable: true,
        }),
      },
    );
  };
}
