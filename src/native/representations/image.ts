import type { Image as RenderedImage } from '../../../generated/native/types.gen.ts';
import { pathOfImage } from '../../domain/images/image-path.ts';
import type { Image } from '../../domain/images/images.ts';

/** Where images are served: `publicUrl` of the settings, or where the client has reached the surface at `base`. */
export function imagesAt(publicUrl: string | undefined, base: () => string): string {
  return publicUrl ?? new URL(base()).origin;
}

/** `token`: what the images of the store are under. */
export function renderImage(image: Image, token: string, servedAt: string): RenderedImage {
  return {
    id: image.id,
    name: image.name,
    type: image.type,
    width: image.width,
    height: image.height,
    size_bytes: image.size,
    url: servedAt + pathOfImage(image, token),
    created_at: image.createdAt.toISOString(),
  };
}
