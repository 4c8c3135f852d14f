import type { TemplateBody, TemplateDraft, TemplateKind, TemplateUse } from '../draft.ts';

/** A layout or a snippet as it was published last. */
export interface Part {
  id: string;
  name: string;
  kind: TemplateKind;
  use: TemplateUse;
  isArchived: boolean;
  /** Null where it was never published. */
  version: { number: number; draft: TemplateDraft } | null;
}

/** Layouts and snippets of which one template may consist. */
export const MAX_PARTS = 100;

/** Parts by id; those that the store does not have are missing. Of more than it may consist of, nothing was read. */
export type Parts = ReadonlyMap<string, Part | 'too_many'>;

/** `{% snippet "01a1…" %}`, or what was meant to be it, which has no id. */
export interface SnippetTag {
  at: number;
  end: number;
  id: string | undefined;
}

const TAG = /\{%-?\s*snippet\b[^%]*%\}/g;
const WELL_FORMED = /^\{%\s*snippet\s+(?:"([^"]*)"|'([^']*)')\s*%\}$/;

/** Returns the places at which snippets are to stand, in their order. */
export function snippetTags(text: string): SnippetTag[] {
  return [...text.matchAll(TAG)].map(({ 0: tag, index: at }) => {
    const [, double, single] = WELL_FORMED.exec(tag) ?? [];
    return { at, end: at + tag.length, id: (double ?? single)?.toLowerCase() };
  });
}

/** `{{ content }}` of a layout. */
export const CONTENT = /\{\{-?\s*content\s*-?\}\}/g;

/** Returns the ids of the layout and the snippets that a draft names itself. */
export function partsNamed(draft: TemplateDraft): string[] {
  const texts = [draft, ...Object.values(draft.translations)].flatMap(({ body, text }) => [
    ...textsOf(body ?? ''),
    text ?? '',
  ]);
  const snippets = texts.flatMap((text) => snippetTags(text).flatMap(({ id }) => id ?? []));
  return [...new Set([...(draft.layout_id === null ? [] : [draft.layout_id.toLowerCase()]), ...snippets])];
}

function textsOf(body: TemplateBody | unknown): string[] {
  if (typeof body === 'string') return [body];
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(textsOf) : [];
}
