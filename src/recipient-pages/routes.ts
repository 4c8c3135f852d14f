import type { Router } from '@koa/router';
import type { State } from '../http/surface.ts';
import { type ImageRoutes, imageRoutes } from './images.ts';
import { type LinkRoutes, linkRoutes } from './links.ts';
import { type TrackingRoutes, trackingRoutes } from './tracking.ts';

export type RecipientPages = ImageRoutes & LinkRoutes & TrackingRoutes;

/** What those open who receive messages, without a key. */
export function recipientRoutes(router: Router<State>, parts: RecipientPages): void {
  imageRoutes(router, parts);
  linkRoutes(router, parts);
  trackingRoutes(router, parts);
}
