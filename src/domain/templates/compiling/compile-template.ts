import { compileContent } from '../core/compile-content.ts';
import type { CompiledContent, TemplateProblem, TemplateSource } from '../core/compiled.ts';
import { makeHtml, type TemplateBody } from './make-html.ts';
import type { Compilation, SourceContent, TemplateSources } from './template-sources.ts';

type Compiled = ReturnType<typeof compileContent>;

/** Compiles a template in all its languages. It takes as long as the template has it take, so it runs in a thread. */
export async function compileTemplate(sources: TemplateSources): Promise<Compilation> {
  const contents: Record<string, CompiledContent> = {};
  const problems: TemplateProblem[] = [];
  for (const [locale, content] of Object.entries(sources.contents)) {
    const compiled = await compileLocale(sources, content, locale);
    problems.push(...compiled.problems);
    if (compiled.content) contents[locale] = compiled.content;
  }
  const isWhole = Object.keys(contents).length === Object.keys(sources.contents).length;
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return { compiled: isWhole && !hasErrors ? { format: 1, locale: sources.locale, contents } : null, problems };
}

async function compileLocale(
  { kind, class: ofMessage, locale: ofTemplate }: TemplateSources,
  { subject, preheader, body, text }: SourceContent,
  locale: string,
): Promise<Compiled> {
  const prefix = locale === ofTemplate ? '' : `translations.${locale}.`;
  const field = `${prefix}body`;
  const fields = { subject: `${prefix}subject`, preheader: `${prefix}preheader`, html: field, text: `${prefix}text` };
  if (kind === 'sms') {
    const source: TemplateSource = { channel: 'sms', subject: '', preheader: '', html: '', text: String(body) };
    return compileContent(source, { class: ofMessage, fields: { ...fields, text: field } });
  }
  const compile = (html: string | null, isHtmlMade: boolean) =>
    // Of HTML that is not there yet, nothing is missing.
    compileContent(
      { channel: 'email', subject, preheader, html: html ?? '', text },
      { class: html === null ? 'transactional' : ofMessage, fields, isHtmlMade },
    );
  const made = await makeHtml({ kind, body } as TemplateBody, { locale, field });
  const compiled = compile(made.html, made.html !== body);
  if (made.html === null) return { content: null, problems: [...made.problems, ...compiled.problems] };
  // Whoever wrote HTML looks for what is wrong in that, and not in what it was made.
  const written = kind === 'html' && made.html !== body ? compile(String(body), false) : compiled;
  const { problems } = written.content ? { problems: [...written.problems, ...errorsOf(compiled)] } : written;
  return { content: written.content && compiled.content, problems: [...made.problems, ...problems] };
}

function errorsOf({ content, problems }: Compiled): TemplateProblem[] {
  return content ? [] : problems.filter(({ severity }) => severity === 'error');
}
