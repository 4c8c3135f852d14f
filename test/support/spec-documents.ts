import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export type SurfaceName = 'native' | 'compat';

const COMPONENT = /"#\/components\/(\w+)\/([\w.-]+)/g;

/** Specs as JSON by the name of their surface: parsing YAML takes a hundred times as long. */
const texts = new Map<SurfaceName, string>();

/** A spec as its file has it, to do with as one likes. What its YAML has by alias at several places is not one object. */
export function specDocument(surface: SurfaceName): any {
  const file = join(import.meta.dirname, '../../openapi', `${surface}.yaml`);
  const text = texts.get(surface) ?? JSON.stringify(parse(readFileSync(file, 'utf8')));
  texts.set(surface, text);
  return JSON.parse(text);
}

/** A spec with nothing but some of its paths, and the components that they lead to. */
export function partOfSpec(surface: SurfaceName, paths: readonly string[]): any {
  const { paths: all, components, webhooks: _, ...others } = specDocument(surface);
  const kept = Object.fromEntries(paths.map((path) => [path, all[path]]));
  const needed: Record<string, Record<string, unknown>> = { securitySchemes: components.securitySchemes };
  const pending: unknown[] = [kept];
  while (pending.length > 0) {
    for (const [, kind = '', name = ''] of JSON.stringify(pending.pop()).matchAll(COMPONENT)) {
      const known = needed[kind] ?? {};
      if (name in known) continue;
      needed[kind] = { ...known, [name]: components[kind][name] };
      pending.push(components[kind][name]);
    }
  }
  return { ...others, paths: kept, components: needed };
}
