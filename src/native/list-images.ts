import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findImageToken } from '../domain/images/image-path.ts';
import { listImages as list } from '../domain/images/images.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { imagesAt, renderImage } from './representations/image.ts';

export function listImages(stores: StoreData, publicUrl: string | undefined): Handler<Operations, 'listImages'> {
  return async ({ request: { query = {} }, caller: { storeId }, base }) => {
    const { items, next } = await list(stores.of(storeId), storeId, toPageRequest(query));
    const token = (await findImageToken(stores.shared, storeId)) ?? '';
    return {
      status: 200,
      body: { images: items.map((image) => renderImage(image, token, imagesAt(publicUrl, base))), next_cursor: next },
    };
  };
}
