import { stringify } from '../db/raw-json.ts';
import type { Ctx, Surface } from './surface.ts';

/** Sends a JSON response in the surface's media type. */
export function respond(ctx: Ctx, surface: Surface, status: number, body: unknown): void {
  sendRendered(ctx, surface, status, stringify(body));
}

/** Returns the JSON of a body; nothing for a response without one. */
export function encodeBody(body: unknown): string {
  return body === undefined ? '' : stringify(body);
}

/** The same for a body that is already serialised. */
export function sendRendered(ctx: Ctx, surface: Surface, status: number, json: string | Uint8Array): void {
  ctx.status = status;
  // Before the body: without a type Koa would inspect it for one.
  ctx.type = surface.responseType(ctx);
  ctx.body = json;
  if (json.length === 0) ctx.remove('Content-Type');
}
