import { compileContent } from './core/compile-content.ts';
import type { CompiledContent, TemplateProblem } from './core/compiled.ts';
import { renderContent } from './core/render-content.ts';
import type { TemplateTools } from './template-tools.ts';

export const STUB: TemplateTools = {
  async compile(_storeId, { kind, class: ofClass, locale, contents }) {
    const problems: TemplateProblem[] = [];
    const compiled: Record<string, CompiledContent> = {};
    for (const [name, { subject, preheader, body, text }] of Object.entries(contents)) {
      const p = name === locale ? '' : `translations.${name}.`;
      const isSms = kind === 'sms';
      const source = isSms
        ? { channel: 'sms' as const, subject: '', preheader: '', html: '', text: body as string }
        : { channel: 'email' as const, subject, preheader, html: body as string, text };
      const done = compileContent(source, {
        class: ofClass,
        fields: {
          subject: `${p}subject`,
          preheader: `${p}preheader`,
          html: `${p}body`,
          text: isSms ? `${p}body` : `${p}text`,
        },
      });
      problems.push(...done.problems);
      if (done.content) compiled[name] = done.content;
    }
    return {
      compiled: problems.some((one) => one.severity === 'error') ? null : { format: 1, locale, contents: compiled },
      problems,
    };
  },
  async render(_storeId, { compiled, data, locale, required }) {
    return renderContent(compiled, data, { locale, required, timeZone: 'UTC' });
  },
};
