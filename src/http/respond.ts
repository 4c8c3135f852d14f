import type { Ctx, Surface } from './surface.ts';

/** Writes a JSON response in the media type of the surface. */
export function respond(ctx: Ctx, surface: Surface, status: number, body: unknown): void {
  ctx.status = status;
  ctx.body = JSON.stringify(body);
  ctx.type = surface.responseType(ctx);
}
