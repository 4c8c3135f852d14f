import type { Caller, Scope } from '../caller.ts';
import { expectScopes, READS } from '../expect-scopes.ts';
import type { CompiledTemplate } from './core/compiled.ts';
import type { TemplateDraft } from './draft.ts';

/** By the first word of a path. */
const OF_SOURCE = new Map<string, Scope>([
  ['event', 'events:read'],
  ['profile', 'profiles:read'],
]);

/** What Liquid reads stands between its marks, or after one that nothing ends. */
const LIQUID = /\{\{.*?(?:\}\}|$)|\{%.*?(?:%\}|$)/gs;
const NAMES = /\b(?:event|profile)\b/g;
/** A text that is a path as a whole, as those that a template requires, or that its blocks repeat. */
const PATH = /^\s*(event|profile)\s*[.[]/;

/**
 * Throws `forbidden` unless the caller may read what a draft reads, whose messages carry it out. A draft that is faulty
 * counts as reading all that it names.
 */
export function expectScopesToDefine(caller: Caller, draft: TemplateDraft): void {
  const named = textsOf(draft).flatMap((text) => {
    const [, path] = PATH.exec(text) ?? [];
    const names = [...text.matchAll(LIQUID)].flatMap(([liquid]) => liquid.match(NAMES) ?? []);
    return path === undefined ? names : [...names, path];
  });
  expectScopesOf(caller, named);
}

/** The same for what is published, with all that was copied into it. */
export function expectScopesToPublish(caller: Caller, draft: TemplateDraft, compiled: CompiledTemplate | null): void {
  expectScopesToDefine(caller, draft);
  const contents = Object.values(compiled?.contents ?? {});
  expectScopesOf(
    caller,
    contents.flatMap(({ paths }) => paths.map(({ path }) => path[0] ?? '')),
  );
}

function expectScopesOf(caller: Caller, names: readonly string[]): void {
  expectScopes(caller, new Set(names.flatMap((name) => OF_SOURCE.get(name) ?? [])), READS);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
