import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Router } from '@koa/router';
import type { Context } from 'koa';

/** Where `npm start` builds it. */
const BUILT = join(import.meta.dirname, '../../dist/dashboard');
/** Endings of the files that the build has compressed. */
const ENDINGS = { br: '.br', gzip: '.gz' };
type Encoding = keyof typeof ENDINGS;
/** Stands in the page where the nonce belongs. */
const NONCE = 'NONCE_OF_THE_ANSWER';
const NOT_BUILT = 'The dashboard is not built. "npm start" builds it, and so does "npm run build:dashboard".\n';

interface Asset {
  content: Buffer;
  encoded: Partial<Record<Encoding, Buffer>>;
  etag: string;
  /** Its name changes with its content. */
  isImmutable: boolean;
}

/**
 * The dashboard under `/dashboard`, all of it from memory: its assets, and its page at every other path, because the
 * page shows what belongs there by itself. `/` leads to it.
 */
export function dashboardRoutes(router: Router, built: string = BUILT): void {
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
    if (asset) return serveAsset(ctx, asset);
    if (ctx.path.startsWith('/dashboard/assets/')) return next();
    servePage(ctx, page);
  });
}

function readAssets(built: string): Map<string, Asset> {
  const names = readdirSync(built, { recursive: true, encoding: 'utf8' });
  const isServed = (name: string) => extname(name) !== '' && !/^\.|\.(html|br|gz)$/.test(name);
  const readIfThere = (file: string) => (existsSync(file) ? readFileSync(file) : undefined);
  return new Map(
    names.filter(isServed).map((name) => {
      const file = join(built, name);
      const content = readFileSync(file);
      const encoded: Asset['encoded'] = {};
      for (const [encoding, ending] of Object.entries(ENDINGS) as [Encoding, string][]) {
        const compressed = readIfThere(file + ending);
        if (compressed) encoded[encoding] = compressed;
      }
      const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;
      return [`/dashboard/${name}`, { content, encoded, etag, isImmutable: name.startsWith('assets/') }];
    }),
  );
}

function serveAsset(ctx: Context, { content, encoded, etag, isImmutable }: Asset): void {
  ctx.set('Cache-Control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  ctx.set('ETag', etag);
  ctx.vary('Accept-Encoding');
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const encoding = (Object.keys(ENDINGS) as Encoding[]).find((one) => encoded[one] && ctx.acceptsEncodings(one));
  if (encoding) ctx.set('Content-Encoding', encoding);
  ctx.type = extname(ctx.path);
  ctx.body = encoding ? encoded[encoding] : content;
}

/** Never the same twice, so that nobody who could put a style into the page knows the nonce that it would need. */
function servePage(ctx: Context, page: string): void {
  const nonce = randomBytes(18).toString('base64');
  ctx.set('Content-Security-Policy', policy(nonce));
  ctx.set('Cache-Control', 'no-cache');
  ctx.type = 'html';
  ctx.body = page.replaceAll(NONCE, nonce);
}

/** Everything from this service alone. Of styles, those that the component library puts into the page, by the nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
