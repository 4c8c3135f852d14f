import { compileContent } from '../core/compile-content.ts';
import type { CompiledContent, TemplateProblem, TemplateSource } from '../core/compiled.ts';
import type { Compilation, SourceContent, TemplateSources } from './template-sources.ts';
import { TO_HTML } from './to-html.ts';

/** Compiles a template in all its languages. It takes as long as the template has it take, so it runs in a thread. */
export async function compileTemplate(sources: TemplateSources): Promise<Compilation> {
  const contents: Record<string, CompiledContent> = {};
  const problems: TemplateProblem[] = [];
  for (const [locale, content] of Object.entries(sources.contents)) {
    const compiled = await compileLocale(sources, content, locale === sources.locale ? '' : `translations.${locale}.`);
    problems.push(...compiled.problems);
    if (compiled.content) contents[locale] = compiled.content;
  }
  const isWhole = Object.keys(contents).length === Object.keys(sources.contents).length;
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return { compiled: isWhole && !hasErrors ? { format: 1, locale: sources.locale, contents } : null, problems };
}

async function compileLocale(
  { kind, class: ofMessage }: TemplateSources,
  { subject, preheader, body, text }: SourceContent,
  prefix: string,
): Promise<{ content: CompiledContent | null; problems: TemplateProblem[] }> {
  const field = `${prefix}body`;
  const fields = { subject: `${prefix}subject`, preheader: `${prefix}preheader`, html: field, text: `${prefix}text` };
  if (kind === 'sms') {
    const source: TemplateSource = { channel: 'sms', subject: '', preheader: '', html: '', text: String(body) };
    return compileContent(source, { class: ofMessage, fields: { ...fields, text: field } });
  }
  const made = await TO_HTML[kind](body, field);
  const source: TemplateSource = { channel: 'email', subject, preheader, html: made.html ?? '', text };
  // What is wrong in the other texts is said at once. Nothing is missing in HTML that is not there yet.
  const checked = compileContent(source, {
    class: made.html === null ? 'transactional' : ofMessage,
    fields,
    isHtmlMade: !made.isAsWritten,
  });
  return {
    content: made.html === null ? null : checked.content,
    problems: [...made.problems, ...checked.problems],
  };
}
