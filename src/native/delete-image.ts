import type { Operations } from '../../generated/native/operations.gen.ts';
import { findImageToken } from '../domain/images/image-path.ts';
import { type Image, deleteImage as remove } from '../domain/images/images.ts';
import type { Once } from '../domain/kept-answers.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { performOnce } from './once.ts';
import { imagesAt, renderImage } from './representations/image.ts';

export function deleteImage(
  writing: WithConnection,
  publicUrl: string | undefined,
): Handler<Operations, 'deleteImage'> {
  return async ({ request: { path }, caller, base }) => {
    const { storeId } = caller;
    const id = expectFound(isId(path.id) ? path.id.toLowerCase() : undefined);
    let token = '';
    return await performOnce(
      caller,
      // An image can be deleted once; stored again, it has another id.
      { operation: 'deleteImage', key: id, request: {} },
      {
        perform: (once: Once<Image | undefined>) =>
          writing(storeId, async (db, shared) => {
            token = (await findImageToken(shared, storeId)) ?? '';
            return await remove(db, storeId, id, once);
          }),
        answer: (deleted) => ({
          status: 200 as const,
          body: renderImage(expectFound(deleted), token, imagesAt(publicUrl, base)),
        }),
      },
    );
  };
}

function expectFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such image');
  return found;
}
