import { lookUp, pathToList } from '../../../conditions/lookup.ts';
import type { JsonObject } from '../../../conditions/subject.ts';
import type { Definition } from '../definition/definition.ts';
import { capturedPaths } from '../definition/uses.ts';

/** Bytes of JSON that a run keeps of its event. */
const MAX_CAPTURED = 32 * 1024;

/** Copies the properties that the definition refers to, and `always` some of them. What does not fit any more is null, and named. */
export function capture(
  definition: Definition,
  properties: JsonObject,
  always: readonly string[][] = [],
): { properties: JsonObject; omitted: string[][] } {
  const { kept, omitted } = keep([...always, ...capturedPaths(definition)], properties, MAX_CAPTURED);
  return { properties: kept, omitted };
}

/** Copies what paths lead to, of so many bytes of JSON. What does not fit any more is null, and named. */
export function keep(
  all: readonly string[][],
  properties: JsonObject,
  most: number,
): { kept: Record<string, unknown>; omitted: string[][] } {
  const kept: Record<string, unknown> = {};
  const omitted: string[][] = [];
  let size = 0;
  // Of what lies in a list, all of the list.
  const paths = all.map((path) => pathToList(properties, path) ?? path);
  for (const path of withinEachOther(paths, properties)) {
    const value = lookUp(properties, path);
    if (value === undefined) continue;
    // What can't be stored is a symbol in its place.
    const text = JSON.stringify(value) ?? 'null';
    const bytes = Buffer.byteLength(text);
    const fits = size + bytes <= most;
    if (fits) size += bytes;
    else omitted.push(path);
    put(kept, path, fits ? JSON.parse(text) : null);
  }
  return { kept, omitted };
}

/**
 * Shorter paths first; what lies within another one is copied with it. All properties are as many paths as there are.
 */
function withinEachOther(paths: string[][], properties: JsonObject): string[][] {
  const all = paths.some(({ length }) => length === 0) ? Object.keys(properties).map((name) => [name]) : [];
  const sorted = [...paths, ...all].filter(({ length }) => length > 0).sort((a, b) => a.length - b.length);
  const outermost: string[][] = [];
  for (const path of sorted) {
    const isWithin = outermost.some((outer) => outer.every((key, i) => key === path[i]));
    if (!isWithin) outermost.push(path);
  }
  return outermost;
}

function put(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let parent = root;
  for (const key of path.slice(0, -1)) {
    if (!Object.hasOwn(parent, key)) parent[key] = {};
    parent = parent[key] as Record<string, unknown>;
  }
  parent[path.at(-1) as string] = value;
}
