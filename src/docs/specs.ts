import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Router } from '@koa/router';
import { parse } from 'yaml';
import { StaticFile } from '../http/static-file.ts';
import type { State } from '../http/surface.ts';

const OPENAPI = join(import.meta.dirname, '../../openapi');

/** The spec of each surface: as it is in the repository, and the same as JSON. */
export function specRoutes(router: Router<State>, surfaces: readonly string[]): void {
  for (const surface of surfaces) {
    // As bytes: as a text it would take twice the memory. Parsing takes a tenth of a second, which no start should wait for.
    const spec = readFileSync(join(OPENAPI, `${surface}.yaml`));
    const yaml = new StaticFile('application/yaml', spec);
    const json = new StaticFile('json', () => JSON.stringify(parse(spec.toString())));
    router.get(`/openapi/${surface}.yaml`, (ctx) => yaml.serve(ctx));
    router.get(`/openapi/${surface}.json`, (ctx) => json.serve(ctx));
  }
}
