import type { Image as RenderedImage } from '../../../generated/native/types.gen.ts';
import { pathOfImage } from '../../domain/images/image-path.ts';
import type { Image } from '../../domain/images/images.ts';

/** `token`: what the images of the store are under. */
export function renderImage(image: Image, token: string): RenderedImage {
  return {
    id: image.id,
    name: image.name,
    type: image.type,
    width: image.width,
    height: image.height,
    size_bytes: image.size,
    url: pathOfImage(image, token),
    created_at: image.createdAt.toISOString(),
  };
}
