import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { PAGE_POLICY } from './security-headers.ts';

const OPENAPI = join(import.meta.dirname, '../../openapi');
const SWAGGER_UI = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')));
const ASSETS = new Set([
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-32x32.png',
]);

/** Swagger UI adds styles to the page by itself. */
const CONTENT_SECURITY_POLICY = `${PAGE_POLICY}; style-src 'self' 'unsafe-inline'`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Footfall API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<main id="docs"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/swagger-ui-standalone-preset.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** The published specs, as they are in the repository, and a page to read and try them. */
export function docsRoutes(router: Router, surfaces: readonly string[]): void {
  for (const surface of surfaces) {
    const spec = readFileSync(join(OPENAPI, `${surface}.yaml`));
    const etag = `"${createHash('sha256').update(spec).digest('hex').slice(0, 32)}"`;
    router.get(`/openapi/${surface}.yaml`, (ctx) => serve(ctx, 'application/yaml', spec, etag));
  }
  const urls = surfaces.map((surface) => ({ name: surface, url: `/openapi/${surface}.yaml` }));
  const start = `SwaggerUIBundle({ urls: ${JSON.stringify(urls)}, dom_id: '#docs', deepLinking: true,
  layout: 'StandaloneLayout', presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset] });\n`;
  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    serve(ctx, 'text/html', PAGE);
  });
  router.get('/docs/start.js', (ctx) => serve(ctx, 'text/javascript', start));
  router.get('/docs/:asset', async (ctx, next) => {
    const { asset } = ctx.params;
    if (asset === undefined || !ASSETS.has(asset)) return next();
    serve(ctx, asset.slice(asset.lastIndexOf('.')), await readFile(join(SWAGGER_UI, asset)));
  });
}

function serve(
  ctx: Pick<Context, 'type' | 'body' | 'set' | 'fresh' | 'status'>,
  type: string,
  body: string | Buffer,
  etag?: string,
): void {
  // Nobody's data: may be kept, but a new version has to be seen.
  ctx.set('Cache-Control', 'no-cache');
  ctx.status = 200;
  if (etag) ctx.set('ETag', etag);
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = body;
}
