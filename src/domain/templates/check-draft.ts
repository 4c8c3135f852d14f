import type { SourceContent, TemplateSources } from './compiling/template-sources.ts';
import type { TemplateBlocks } from './core/blocks/blocks.ts';
import type { CompiledTemplate, TemplateProblem } from './core/compiled.ts';
import type { TemplateDraft } from './draft.ts';
import { blocksInLayout } from './parts/blocks-in-layout.ts';
import { placed } from './parts/findings.ts';
import { CONTENT, type Parts } from './parts/part.ts';
import { type ResolvedContent, type ResolvedTemplate, resolveTemplate } from './parts/resolve.ts';
import { ResolvedText } from './parts/resolved-text.ts';
import type { TemplateTools } from './template-tools.ts';

/** Problems that are shown. */
export const MAX_PROBLEMS = 100;

export interface CheckedDraft {
  /** Null where an error keeps anything from being made. */
  compiled: CompiledTemplate | null;
  problems: readonly TemplateProblem[];
  /** The numbers of the versions of layouts and snippets in it, by the ids of their templates. */
  copied: ReadonlyMap<string, number>;
}

export interface DraftToCheck {
  storeId: string;
  /** Undefined before it has one. */
  id?: string | undefined;
  draft: TemplateDraft;
  parts: Parts;
}

/** Puts a draft together and compiles it: `problems` says what refuses its publication, and what should be known before. */
export async function checkDraft(
  tools: Pick<TemplateTools, 'compile'>,
  { storeId, id, draft, parts }: DraftToCheck,
): Promise<CheckedDraft> {
  const resolved = resolveTemplate(draft, parts, id);
  const { compiled, problems } = await tools.compile(storeId, sourcesOf(draft, resolved));
  const own = [...resolved.problems, ...problemsOfUse(draft)];
  const all = [...own, ...problems.map((problem) => whereWritten(problem, draft, resolved))];
  const different = new Map(all.map((problem) => [JSON.stringify(problem), problem]));
  const inOrder = [...different.values()].sort((a, b) => rank(a) - rank(b));
  return { compiled, problems: inOrder.slice(0, MAX_PROBLEMS), copied: resolved.copied };
}

const rank = ({ severity }: TemplateProblem) => (severity === 'error' ? 0 : 1);

function sourcesOf(draft: TemplateDraft, { contents, problems }: ResolvedTemplate): TemplateSources {
  const { use, locale } = draft;
  const isMessage = use === 'message';
  const sources = Object.entries(contents).map(([name, { subject, preheader, text, ...content }]) => {
    const texts = { subject: isMessage ? subject : use, preheader, text: text?.toString() ?? null };
    return [name, { ...texts, body: bodyOf(draft, content, name) }] as const;
  });
  return {
    kind: kindOf(draft, sources),
    // Only messages need a way to unsubscribe, and what is missing may have it.
    class: isMessage && problems.length === 0 ? draft.class : 'transactional',
    locale,
    contents: Object.fromEntries(sources),
  };
}

/** A snippet of MJML or of a text message is part of what is not known here: its Liquid is looked at, and nothing else. */
function kindOf(
  { kind, use }: TemplateDraft,
  sources: readonly (readonly [string, SourceContent])[],
): TemplateSources['kind'] {
  if (use === 'snippet' && (kind === 'mjml' || kind === 'sms')) return 'liquid';
  return kind === 'blocks' && sources.every(([, { body }]) => typeof body === 'string') ? 'mjml' : kind;
}

/** Blocks are MJML where they stand in a layout. */
function bodyOf(
  { use }: TemplateDraft,
  { body, layout }: Pick<ResolvedContent, 'body' | 'layout'>,
  locale: string,
): SourceContent['body'] {
  if (body instanceof ResolvedText) return textOf(body, use);
  return (layout && blocksInLayout(body as unknown as TemplateBlocks, layout.toString(), locale)) ?? body;
}

function textOf(resolved: ResolvedText, use: TemplateDraft['use']): string {
  const text = resolved.toString();
  // Of the same length: what follows stays where it is.
  return use === 'layout' ? text.replace(CONTENT, (content) => ' '.repeat(content.length)) : text;
}

function problemsOfUse({ use, body, locale, translations }: TemplateDraft): TemplateProblem[] {
  if (use !== 'layout') return [];
  const bodies = [
    [locale, body] as const,
    ...Object.entries(translations).map(([name, one]) => [name, one.body] as const),
  ];
  return bodies.flatMap(([name, text]) => {
    const found = typeof text === 'string' ? [...text.matchAll(CONTENT)].length : 1;
    if (text === undefined || found === 1) return [];
    const field = name === locale ? 'body' : `translations.${name}.body`;
    const message = 'A layout needs {{ content }} in one place, where messages stand in it';
    return [{ severity: 'error', code: 'layout_content', message, field, line: null, column: null }];
  });
}

const OF_TEXT = /^(?:translations\.([^.]+)\.)?(body|text)$/;

/** Returns a problem of what was put together with its place in what somebody wrote. */
function whereWritten(problem: TemplateProblem, draft: TemplateDraft, { contents }: ResolvedTemplate): TemplateProblem {
  const [, translation, which] = OF_TEXT.exec(problem.field) ?? [];
  if (which === undefined) return problem;
  const own = translation === undefined ? undefined : draft.translations[translation]?.[which as 'body' | 'text'];
  const field = own === undefined ? which : problem.field;
  const { line, column } = problem;
  const text = contents[translation ?? draft.locale]?.[which as 'body' | 'text'];
  if (line === null) return { ...problem, field };
  // Those of MJML that was made of blocks mean nothing to anybody.
  if (!(text instanceof ResolvedText)) return { ...problem, field, line: null, column: null };
  const origin = text.origin({ line, column: column ?? 1 });
  return origin ? placed({ ...problem, field }, origin) : { ...problem, field };
}
