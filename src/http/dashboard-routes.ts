import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { StaticFile } from './static-file.ts';
import type { State } from './surface.ts';

/** Where `npm start` builds the dashboard. */
const BUILT = join(import.meta.dirname, '../../dist/dashboard');
/** Placeholder for the nonce in the page. */
const NONCE = 'NONCE_OF_THE_ANSWER';
const NOT_BUILT = 'The dashboard is not built. "npm start" builds it, and so does "npm run build:dashboard".\n';
/** The names of assets change with their content. */
const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/**
 * Serves the dashboard under `/dashboard` from memory: its assets, and its page at every other path, because the page
 * routes by itself. `/` redirects to it.
 */
export function dashboardRoutes(router: Router<State>, built: string = BUILT): void {
  router.get('/', (ctx) => ctx.redirect('/dashboard'));
  const page = existsSync(join(built, 'index.html')) ? readFileSync(join(built, 'index.html'), 'utf8') : undefined;
  if (page === undefined) {
    router.get(['/dashboard', '/dashboard/{*path}'], (ctx) => {
      ctx.status = 503;
      ctx.body = NOT_BUILT;
    });
    return;
  }
  const assets = readAssets(built);
  router.get(['/dashboard', '/dashboard/{*path}'], async (ctx, next) => {
    const asset = assets.get(ctx.path);
    if (asset) return asset.serve(ctx);
    if (ctx.path.startsWith('/dashboard/assets/')) return next();
    servePage(ctx, page);
  });
}

function readAssets(built: string): Map<string, StaticFile> {
  const folder = join(built, 'assets');
  return new Map(
    readdirSync(folder).map((name) => [
      `/dashboard/assets/${name}`,
      new StaticFile(extname(name), readFileSync(join(folder, name)), IMMUTABLE),
    ]),
  );
}

/** A new nonce for each response, so that nobody who injects a style into the page can know it. */
function servePage(ctx: Context, page: string): void {
  const nonce = randomBytes(18).toString('base64');
  ctx.set('Content-Security-Policy', contentSecurityPolicy(nonce));
  ctx.set('Cache-Control', 'no-cache');
  ctx.type = 'html';
  ctx.body = page.replaceAll(NONCE, nonce);
}

/**
 * Allows only this service's resources, and by the nonce the styles that the component library injects. The frames that
 * show e-mails, which have this policy too, may load images of any host, if somebody asks for them.
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
