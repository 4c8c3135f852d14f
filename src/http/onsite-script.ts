import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StaticFile } from './static-file.ts';
import type { Middleware } from './surface.ts';

/** Where `npm start` builds it, with the dashboard. */
const BUILT = join(import.meta.dirname, '../../dist/dashboard/onsite/klaviyo.js');
/** Pages name their account in the path or in the query; that is for the script to read. */
const PATH = /^\/+compat\/+v1\/+onsite\/+js\/+(?:[^/]+\/+)?klaviyo\.js$/;
const NOT_BUILT = 'The script is not built. "npm start" builds it, and so does "npm run build:dashboard".\n';
const HEADERS = {
  // The same address has the next version too: pages get it within the hour.
  'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400',
  // It is for the pages of shops.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Serves the script that shops have on their pages, at the third party's paths below the compatibility surface. */
export function serveOnsiteScript(built: string = BUILT): Middleware {
  const script = existsSync(built) ? new StaticFile('js', () => readFileSync(built), HEADERS) : undefined;
  return async (ctx, next) => {
    if (!PATH.test(ctx.path) || !['GET', 'HEAD'].includes(ctx.method)) return next();
    if (script) return script.serve(ctx);
    ctx.status = 503;
    ctx.body = NOT_BUILT;
  };
}
