import { fieldOf } from '../../service-error.ts';
import type { TemplateBlocks } from '../core/blocks/blocks.ts';
import { blocksToMjml } from '../core/blocks/blocks-to-mjml.ts';
import { BOUNDS } from '../core/bounds.ts';
import type { TemplateProblem } from '../core/compiled.ts';
import { MaskedHtml } from '../core/html/masked.ts';
import { TooDeep } from '../core/html/walk.ts';
import { readLiquid } from '../core/liquid/read-liquid.ts';
import { Problems } from '../core/problems.ts';
import { inlineStyles } from './inline-styles.ts';
import { mjmlToHtml } from './mjml-to-html.ts';

/** What the author of an e-mail wrote, in one language. */
export type TemplateBody = { kind: 'blocks'; body: TemplateBlocks } | { kind: 'mjml' | 'html'; body: string };

export interface MadeHtml {
  /** With its Liquid; null where a problem is an error. */
  html: string | null;
  problems: TemplateProblem[];
}

interface MakeOptions {
  /** As `de` or `pt-BR`. */
  locale: string;
  /** By which problems name the body. */
  field: string;
}

/** Makes the HTML of an e-mail. It may take any time and memory: run it where it can be ended. */
export async function makeHtml(body: TemplateBody, { locale, field }: MakeOptions): Promise<MadeHtml> {
  if (body.kind === 'blocks') return await ofBlocks(body.body, { locale, field });
  const problems = new Problems();
  const report = problems.in(field, body.body);
  if (body.kind === 'mjml') {
    const html = await mjmlToHtml(body.body, { lang: locale }, report);
    return { html: html ?? null, problems: problems.all };
  }
  const text = readLiquid(body.body, report);
  if (!text) return { html: null, problems: problems.all };
  const masked = new MaskedHtml(text);
  try {
    const html = inlineStyles(masked.html, ({ at, ...finding }) =>
      report({ ...finding, at: at === null ? null : masked.sourceOf(at) }),
    );
    return { html: masked.restore(html), problems: problems.all };
  } catch (error) {
    const message = error instanceof TooDeep ? error.message : 'The style sheets can not be read';
    report({ code: 'malformed_html', message, at: null });
    return { html: null, problems: problems.all };
  }
}

async function ofBlocks(blocks: TemplateBlocks, { locale, field }: MakeOptions): Promise<MadeHtml> {
  const made = blocksToMjml(blocks, { lang: locale });
  const ofParts = made.problems.map(
    ({ path, ...problem }): TemplateProblem => ({ ...problem, field: `${field}.${fieldOf(path)}` }),
  );
  if (ofParts.length > 0) return { html: null, problems: ofParts };
  const problems = new Problems();
  const report = problems.in(field, made.mjml, false);
  if (made.mjml.length > BOUNDS.source) {
    report({ code: 'too_large', message: `The blocks are more than ${BOUNDS.source} characters of MJML`, at: null });
  }
  const html = problems.hasErrors ? undefined : await mjmlToHtml(made.mjml, { lang: locale }, report);
  return { html: html ?? null, problems: problems.all };
}
