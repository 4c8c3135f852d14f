import { BOUNDS } from './bounds.ts';
import type { CompiledContent, TemplatePath, TemplateProblem, TemplateSource } from './compiled.ts';
import { type CompiledHtml, compileHtml } from './html/compile-html.ts';
import { checkCompiled } from './liquid/check-compiled.ts';
import type { Piece, Printing } from './liquid/piece.ts';
import { type LiquidText, readLiquid, writePieces } from './liquid/read-liquid.ts';
import { Problems, type Report } from './problems.ts';
import { checkTextMessage } from './sms/check-text-message.ts';

export interface ContentTraits {
  class: 'marketing' | 'transactional';
  /** By which problems name the texts, as `body` or `translations.de.subject`. */
  fields: { subject: string; preheader: string; html: string; text: string };
  /** Whether the HTML was made of something else, so that its lines mean nothing to its author. */
  isHtmlMade?: boolean;
  /** Whether it is a part of messages, and none itself. */
  isPart?: boolean;
}

/**
 * Prepares what a template says in one language for being rendered. `content` is null where there is a problem whose
 * severity is `error`.
 */
export function compileContent(
  source: TemplateSource,
  traits: ContentTraits,
): { content: CompiledContent | null; problems: TemplateProblem[] } {
  const problems = new Problems();
  const { fields } = traits;
  const read = (name: 'subject' | 'preheader' | 'html' | 'text', text: string) =>
    readLiquid(text, problems.in(fields[name], text, name !== 'html' || !traits.isHtmlMade));
  const subject = read('subject', source.subject);
  const preheader = read('preheader', source.preheader);
  const html = read('html', source.html);
  const text = source.text === null ? undefined : read('text', source.text);
  const texts = [subject, preheader, html, text ?? null];
  const paths = mergePaths(texts.flatMap((one) => one?.paths ?? []));
  const isEmail = source.channel === 'email';
  if (isEmail && subject && source.subject.trim() === '') {
    problems.in(fields.subject, '')({ code: 'missing_subject', message: 'An e-mail has a subject', at: null });
  }
  const reportHtml = problems.in(fields.html, source.html, !traits.isHtmlMade);
  const hidden = preheader && source.preheader.trim() !== '' ? write(preheader, '_html') : '';
  const made = html && compileHtml(html, hidden, reportHtml);
  if (text && !isEmail && !traits.isPart) checkTextMessage(text, traits.class, problems.in(fields.text, text.source));
  if (html && made && isEmail) checkEmail(html, made, traits, reportHtml);
  if (problems.hasErrors || !subject || !preheader || !made || text === null) {
    return { content: null, problems: problems.all };
  }
  const content: CompiledContent = {
    channel: source.channel,
    subject: write(subject, '_text'),
    preheader: write(preheader, '_text'),
    html: isEmail ? made.html : '',
    text: text ? write(text, '_text') : made.text,
    links: made.links,
    ...(traits.isPart && { isPart: true as const }),
    paths,
  };
  for (const compiled of [content.subject, content.preheader, content.html, content.text]) checkCompiled(compiled);
  return { content, problems: problems.all };
}

function write({ source, pieces }: LiquidText, printing: Printing): string {
  return writePieces(source, pieces, printing);
}

function checkEmail(
  { source, pieces }: LiquidText,
  { unsubscribes }: CompiledHtml,
  { class: kind }: ContentTraits,
  report: Report,
): void {
  if (kind === 'marketing' && !unsubscribes) {
    const message = 'Marketing needs a link to unsubscribe: <a href="{{ unsubscribe_url }}">';
    report({ code: 'missing_unsubscribe_link', message, at: null });
  }
  if (kind === 'marketing' && !pieces.some(printsPostalAddress)) {
    const message = 'Marketing has to say where the store is: {{ store.postal_address }}';
    report({ severity: 'warning', code: 'missing_postal_address', message, at: null });
  }
  const bytes = Buffer.byteLength(source);
  if (bytes > BOUNDS.clipped) {
    const message = `The HTML has ${Math.ceil(bytes / 1024)} KB; Gmail shows the first 102`;
    report({ severity: 'warning', code: 'clipped', message, at: null });
  }
}

/** It may be given another name first. */
const printsPostalAddress = ({ role, reads }: Piece) =>
  (role === 'output' || role === 'nothing') &&
  reads.some(([root, name]) => root === 'store' && name === 'postal_address');

/** Each path once; it has a default where all of its uses do. */
function mergePaths(paths: readonly TemplatePath[]): TemplatePath[] {
  const merged = new Map<string, TemplatePath>();
  for (const { path, hasDefault } of paths) {
    const key = JSON.stringify(path);
    merged.set(key, { path, hasDefault: hasDefault && (merged.get(key)?.hasDefault ?? true) });
  }
  return [...merged.values()];
}
