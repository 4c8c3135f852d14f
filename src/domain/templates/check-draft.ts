import type { SourceContent, TemplateSources } from './compiling/template-sources.ts';
import type { CompiledTemplate, TemplateProblem } from './core/compiled.ts';
import { problemOfPath } from './core/paths.ts';
import { pathSegments, type TemplateDraft } from './draft.ts';
import { placed } from './parts/findings.ts';
import { CONTENT, type Parts } from './parts/part.ts';
import { type ResolvedTemplate, resolveTemplate } from './parts/resolve.ts';
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
  const own = [...resolved.problems, ...problemsOfUse(draft), ...problemsOfRequired(draft)];
  // Where something was written is looked for in long texts, so only for what is shown.
  const shown = firstOf(problems.map((problem) => ({ ...problem, field: fieldOfDraft(problem, draft) })));
  const placed = shown.map((problem) => whereWritten(problem, draft, resolved));
  return { compiled, problems: firstOf([...own, ...placed]), copied: resolved.copied };
}

/** Different ones, errors first. */
function firstOf(problems: readonly TemplateProblem[]): TemplateProblem[] {
  const different = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...different.values()].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_PROBLEMS);
}

const rank = ({ severity }: TemplateProblem) => (severity === 'error' ? 0 : 1);

function sourcesOf(draft: TemplateDraft, { contents, problems }: ResolvedTemplate): TemplateSources {
  const { kind, use, locale } = draft;
  const isMessage = use === 'message';
  const sources = Object.entries(contents).map(([name, { subject, preheader, text, body, layout }]) => {
    const source: SourceContent = {
      subject: isMessage ? subject : use,
      preheader,
      body: body instanceof ResolvedText ? textOf(body, use) : body,
      layout: layout && { text: layout.text.toString(), at: layout.at },
      text: text?.toString() ?? null,
    };
    return [name, source] as const;
  });
  return {
    // A snippet of MJML or of a text message is part of what is not known here: its Liquid is looked at, and nothing else.
    kind: use === 'snippet' && (kind === 'mjml' || kind === 'sms') ? 'liquid' : kind,
    // Only messages need a way to unsubscribe, and what is missing may have it.
    class: isMessage && problems.length === 0 ? draft.class : 'transactional',
    locale,
    contents: Object.fromEntries(sources),
  };
}

function textOf(resolved: ResolvedText, use: TemplateDraft['use']): string {
  const text = resolved.toString();
  // Of the same length: what follows stays where it is.
  return use === 'layout' ? text.replace(CONTENT, (content) => ' '.repeat(content.length)) : text;
}

function problemsOfRequired({ required }: TemplateDraft): TemplateProblem[] {
  return required.flatMap((path, i) => {
    const message = problemOfPath(pathSegments(path));
    if (message === undefined) return [];
    return [{ severity: 'error', code: 'unknown_path', message, field: `required[${i}]`, line: null, column: null }];
  });
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

const OF_TEXT = /^(?:translations\.([^.]+)\.)?(body|text|layout)((?:[.[].*)?)$/;

/** What a translation does not say itself is wrong in what it takes over. */
function fieldOfDraft({ field, line }: TemplateProblem, { translations }: TemplateDraft): string {
  const [, translation, which, block = ''] = OF_TEXT.exec(field) ?? [];
  if (translation === undefined || which === undefined) return field;
  // With what is copied into it, it is another text in each language.
  if (line !== null && block === '') return field;
  const own = translations[translation]?.[which as 'body' | 'text'];
  return own === undefined ? which + block : field;
}

/** Returns a problem of what was put together with its place in what somebody wrote. */
function whereWritten(problem: TemplateProblem, draft: TemplateDraft, { contents }: ResolvedTemplate): TemplateProblem {
  const [, translation, which, block] = OF_TEXT.exec(problem.field) ?? [];
  const { line, column } = problem;
  if (which === undefined || block !== '' || line === null) return problem;
  const content = contents[translation ?? draft.locale];
  const text = which === 'layout' ? content?.layout?.text : content?.[which as 'body' | 'text'];
  const field = fieldOfDraft({ ...problem, line: null }, draft);
  // Those of MJML that was made of blocks mean nothing to anybody.
  if (!(text instanceof ResolvedText)) return { ...problem, field, line: null, column: null };
  const origin = text.origin({ line, column: column ?? 1 });
  return origin ? placed({ ...problem, field }, origin) : { ...problem, field };
}
