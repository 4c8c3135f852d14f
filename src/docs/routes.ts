import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Router } from '@koa/router';
import { PAGE_POLICY } from '../http/security-headers.ts';
import { StaticFile } from '../http/static-file.ts';
import type { State } from '../http/surface.ts';
import { GUIDE_PATHS } from './guides.ts';
import { guidePage, missingPage, referencePages } from './page.ts';

const ASSETS = join(import.meta.dirname, 'assets');
/** The package is a plugin for another framework. What is used of it is the page's script, with all that it needs. */
const SCALAR = new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'));

const GUIDE_HEADERS = { 'Content-Security-Policy': PAGE_POLICY };
/** Scalar adds styles to the page by itself. */
const REFERENCE_HEADERS = { 'Content-Security-Policy': `${PAGE_POLICY}; style-src 'self' 'unsafe-inline'` };

/** The guides, and a page for each spec to read it and to try it out. */
export function docsRoutes(router: Router<State>): void {
  const publish = (path: string, file: StaticFile) => router.get(path, (ctx) => file.serve(ctx));
  for (const path of GUIDE_PATHS) publish(path, new StaticFile('html', () => guidePage(path), GUIDE_HEADERS));
  for (const [path, html] of referencePages()) publish(path, new StaticFile('html', html, REFERENCE_HEADERS));
  for (const name of ['docs.css', 'icon.svg', 'reference.js', 'scaling-cluster.svg', 'scaling-machines.svg']) {
    publish(`/docs/assets/${name}`, new StaticFile(name, readFileSync(join(ASSETS, name))));
  }
  // Four megabytes, which most processes are never asked for.
  publish('/docs/assets/scalar.js', new StaticFile('js', () => readFileSync(SCALAR)));
  router.get(/^\/docs\/(?!assets\/)/, (ctx) => {
    ctx.status = 404;
    ctx.set(GUIDE_HEADERS);
    ctx.type = 'html';
    ctx.body = missingPage();
  });
}
