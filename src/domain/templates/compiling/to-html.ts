import { checkLiquid } from '../core/compile-content.ts';
import type { TemplateProblem } from '../core/compiled.ts';
import type { SourceContent, TemplateSources } from './template-sources.ts';

/** The HTML of a body; null where nothing can be made of it. */
export interface MadeHtml {
  html: string | null;
  /** Whether its lines are those of the body. */
  isAsWritten: boolean;
  problems: TemplateProblem[];
}

/** Makes HTML of a body. Liquid in it stays; `field` names the body in problems. */
export type ToHtml = (body: SourceContent['body'], field: string) => MadeHtml | Promise<MadeHtml>;

/** By the kind of the template. */
export const TO_HTML: Readonly<Record<Exclude<TemplateSources['kind'], 'sms'>, ToHtml>> = {
  html: (body, field) => {
    const html = String(body);
    const problems = checkLiquid(html, field);
    return { html: problems.length === 0 ? html : null, isAsWritten: true, problems };
  },
  mjml: notOffered,
  blocks: notOffered,
};

function notOffered(_: SourceContent['body'], field: string): MadeHtml {
  const message = 'Templates of this kind are not offered';
  const problem: TemplateProblem = { severity: 'error', code: 'not_offered', message, field, line: null, column: null };
  return { html: null, isAsWritten: false, problems: [problem] };
}
