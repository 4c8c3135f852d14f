import { fieldOf } from '../../service-error.ts';
import type { TemplateBlocks } from '../core/blocks/blocks.ts';
import { blocksToMjml } from '../core/blocks/blocks-to-mjml.ts';
import { BOUNDS } from '../core/bounds.ts';
import type { TemplateProblem } from '../core/compiled.ts';
import { MaskedHtml } from '../core/html/masked.ts';
import { TooDeep } from '../core/html/walk.ts';
import { readLiquid } from '../core/liquid/read-liquid.ts';
import { Problems } from '../core/problems.ts';
import { type Around, blocksInLayout } from './blocks-in-layout.ts';
import { inlineStyles } from './inline-styles.ts';
import { mjmlToHtml } from './mjml-to-html.ts';
import type { SourceContent, TemplateSources } from './template-sources.ts';

/** The HTML of a body; null where nothing can be made of it. */
export interface MadeHtml {
  html: string | null;
  /** The body itself where it is HTML, whose lines mean something to its author. */
  asWritten?: string;
  problems: TemplateProblem[];
}

interface MadeFor {
  /** By which problems name the body. */
  field: string;
  /** As `de` or `pt-BR`. */
  locale: string;
  /** What stands around blocks, and by which problems name it. */
  layout?: Around | null;
  layoutField?: string;
}

type EmailKind = Exclude<TemplateSources['kind'], 'sms' | 'liquid'>;

/** Makes HTML of the body of an e-mail. Liquid in it stays. */
export async function toHtml(kind: EmailKind, body: SourceContent['body'], made: MadeFor): Promise<MadeHtml> {
  switch (kind) {
    case 'blocks':
      // Their shape was checked when they were saved.
      return await ofBlocks(body as unknown as TemplateBlocks, made);
    case 'mjml':
      return await ofMjml(String(body), made);
    case 'html':
      return ofHtml(String(body), made);
  }
}

async function ofBlocks(
  blocks: TemplateBlocks,
  { field, locale, layout, layoutField = 'layout' }: MadeFor,
): Promise<MadeHtml> {
  const made = blocksToMjml(blocks, { lang: locale });
  if (made.problems.length > 0) {
    const problems = made.problems.map(({ path, ...problem }) => ({ ...problem, field: `${field}.${fieldOf(path)}` }));
    return { html: null, problems };
  }
  const problems = new Problems();
  const blocksReport = problems.in(field, made.mjml, false);
  const { mjml, report } = layout
    ? blocksInLayout(made, layout, { layout: problems.in(layoutField, layout.text), blocks: blocksReport })
    : { mjml: made.mjml, report: blocksReport };
  if (mjml.length > BOUNDS.source) {
    const what = layout ? 'The blocks and the layout' : 'The blocks';
    report({ code: 'too_large', message: `${what} are more than ${BOUNDS.source} characters of MJML`, at: null });
    return { html: null, problems: problems.all };
  }
  const html = await mjmlToHtml(mjml, { lang: locale }, report);
  return { html: html ?? null, problems: problems.all };
}

async function ofMjml(source: string, { field, locale }: MadeFor): Promise<MadeHtml> {
  const problems = new Problems();
  const html = await mjmlToHtml(source, { lang: locale }, problems.in(field, source));
  return { html: html ?? null, problems: problems.all };
}

function ofHtml(source: string, { field }: MadeFor): MadeHtml {
  const problems = new Problems();
  const report = problems.in(field, source);
  const text = readLiquid(source, report);
  if (!text) return { html: null, problems: problems.all };
  const masked = new MaskedHtml(text);
  try {
    const html = inlineStyles(masked.html, ({ at, ...finding }) =>
      report({ ...finding, at: at === null ? null : masked.sourceOf(at) }),
    );
    return { html: masked.restore(html), asWritten: source, problems: problems.all };
  } catch (error) {
    const message = error instanceof TooDeep ? error.message : 'The style sheets can not be read';
    report({ code: error instanceof TooDeep ? 'nested_too_deeply' : 'malformed_styles', message, at: null });
    return { html: null, problems: problems.all };
  }
}
