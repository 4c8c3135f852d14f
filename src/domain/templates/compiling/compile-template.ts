import { compileContent } from '../core/compile-content.ts';
import type { CompiledContent, TemplateProblem, TemplateSource } from '../core/compiled.ts';
import { lookedUpIn, MAX_NAMED_ITEMS, namedItemsIn } from '../core/looked-up.ts';
import type { Compilation, SourceContent, TemplateSources } from './template-sources.ts';
import { toHtml } from './to-html.ts';

/** Compiles a template in all its languages. It takes as long as the template has it take, so it runs in a thread. */
export async function compileTemplate(sources: TemplateSources): Promise<Compilation> {
  const contents: Record<string, CompiledContent> = {};
  const problems: TemplateProblem[] = [];
  for (const [locale, content] of Object.entries(sources.contents)) {
    const compiled = await compileLocale(sources, locale, content);
    problems.push(...compiled.problems);
    if (compiled.content) contents[locale] = compiled.content;
  }
  const isWhole = Object.keys(contents).length === Object.keys(sources.contents).length;
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  if (!isWhole || hasErrors) return { compiled: null, problems };
  const reads = lookedUpIn(Object.values(contents));
  const boughtWith = namedItemsIn(Object.values(contents));
  if (boughtWith.length > MAX_NAMED_ITEMS) return { compiled: null, problems: [...problems, tooManyItems()] };
  const compiled = { reads, ...(boughtWith.length > 0 && { boughtWith }), locale: sources.locale, contents };
  return { compiled: { format: 1, ...compiled }, problems };
}

function tooManyItems(): TemplateProblem {
  const message = `A template recommends what is bought with ${MAX_NAMED_ITEMS} items at most`;
  return { severity: 'error', code: 'too_many_items', message, field: 'body', line: null, column: null };
}

async function compileLocale(
  { kind, class: ofMessage, locale: usual }: TemplateSources,
  locale: string,
  { subject, preheader, body, layout = null, text }: SourceContent,
): Promise<{ content: CompiledContent | null; problems: TemplateProblem[] }> {
  const prefix = locale === usual ? '' : `translations.${locale}.`;
  const field = `${prefix}body`;
  const fields = { subject: `${prefix}subject`, preheader: `${prefix}preheader`, html: field, text: `${prefix}text` };
  if (kind === 'sms' || kind === 'liquid') {
    const source: TemplateSource = { channel: 'sms', subject: '', preheader: '', html: '', text: String(body) };
    return compileContent(source, { class: ofMessage, fields: { ...fields, text: field }, isPart: kind === 'liquid' });
  }
  const made = await toHtml(kind, body, { field, locale, layout, layoutField: `${prefix}layout` });
  // What is wrong in the other texts is said at once. Nothing is missing in HTML that is not there yet.
  const compile = (html: string, isHtmlMade: boolean) =>
    compileContent(
      { channel: 'email', subject, preheader, html, text },
      { class: made.html === null ? 'transactional' : ofMessage, fields, isHtmlMade },
    );
  const { content, problems } = compile(made.html ?? '', made.asWritten === undefined);
  if (made.html === null) return { content: null, problems: [...made.problems, ...problems] };
  if (made.asWritten === undefined || made.asWritten === made.html) {
    return { content, problems: [...made.problems, ...problems] };
  }
  // Styles that were written into it have moved what stands behind them.
  const placed = compile(made.asWritten, false).problems.filter(({ line }) => line !== null);
  return { content, problems: [...made.problems, ...placed, ...problems.filter(({ line }) => line === null)] };
}
