import type { Caller, Scope } from '../caller.ts';
import { expectScopes, READS } from '../expect-scopes.ts';
import type { CompiledTemplate } from './core/compiled.ts';
import type { TemplateDraft } from './draft.ts';

/** By the first word of a path; what is recommended tells what a customer did. */
const OF_SOURCE = new Map<string, readonly Scope[]>([
  ['event', ['events:read']],
  ['profile', ['profiles:read']],
  ['recommended', ['catalog:read', 'events:read', 'profiles:read']],
  ['event.items', ['catalog:read']],
]);

/** What Liquid reads stands between its marks, or after one that nothing ends. */
const LIQUID = /\{\{.*?(?:\}\}|$)|\{%.*?(?:%\}|$)/gs;
const NAMES = /\b(?:event|profile|recommended)\b/g;
/** What the catalog knows of the event. */
const ITEMS = /\bevent\s*(?:\.\s*items\b|\[\s*["']items["']\s*\])/;
/** A text that is a path as a whole, as those that a template requires, or that its blocks repeat. */
const PATH = /^\s*(event|profile|recommended)\s*[.[]/;

/**
 * Throws `forbidden` unless the caller may read what a draft reads, whose messages carry it out. A draft that is faulty
 * counts as reading all that it names.
 */
export function expectScopesToDefine(caller: Caller, draft: TemplateDraft): void {
  const named = textsOf(draft).flatMap((text) => {
    const [, path] = PATH.exec(text) ?? [];
    const liquid = [...text.matchAll(LIQUID)].map(([marked]) => marked);
    const names = liquid.flatMap((marked) => marked.match(NAMES) ?? []);
    const items = [...liquid, ...(path === undefined ? [] : [text])].some((one) => ITEMS.test(one));
    return [...names, ...(path === undefined ? [] : [path]), ...(items ? ['event.items'] : [])];
  });
  expectScopesOf(caller, named);
}

/** The same for what is published, with all that was copied into it. */
export function expectScopesToPublish(caller: Caller, draft: TemplateDraft, compiled: CompiledTemplate | null): void {
  expectScopesToDefine(caller, draft);
  const contents = Object.values(compiled?.contents ?? {});
  expectScopesOf(
    caller,
    contents.flatMap(({ paths }) => paths.flatMap(({ path: [root = '', name] }) => [root, `${root}.${name}`])),
  );
}

function expectScopesOf(caller: Caller, names: readonly string[]): void {
  expectScopes(caller, new Set(names.flatMap((name) => OF_SOURCE.get(name) ?? [])), READS);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
