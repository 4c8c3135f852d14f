import { stringify } from '../db/raw-json.ts';
import type { Ctx, Surface } from './surface.ts';

/** Writes a JSON response in the media type of the surface. */
export function respond(ctx: Ctx, surface: Surface, status: number, body: unknown): void {
  send(ctx, surface, status, stringify(body));
}

/** The same for a body that is JSON already. */
export function send(ctx: Ctx, surface: Surface, status: number, json: string | Uint8Array): void {
  ctx.status = status;
  // Before the body: without a type Koa would look for one in it.
  ctx.type = surface.responseType(ctx);
  ctx.body = json;
}
