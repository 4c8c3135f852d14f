import type { TemplateProblem } from '../compiled.ts';
import { placeOf } from '../problems.ts';
import { NoEqual } from './expression.ts';
import { TagWriter } from './tags.ts';
import { type DjangoToken, readTokens } from './tokens.ts';

export type ConversionProblem = Omit<TemplateProblem, 'field'>;

export interface Conversion {
  source: string;
  /** An `error` is what stays as it was, as nothing here is equal to it; a `warning`, what may look different. */
  problems: ConversionProblem[];
}

const MAX_PROBLEMS = 100;
/** Within it nothing is Django. */
const LITERAL: Readonly<Record<string, string>> = { comment: 'endcomment', verbatim: 'endverbatim', raw: 'endraw' };

/** Converts a text in Klaviyo's syntax, which is Django's with tags of its own, to Liquid. */
export function convertKlaviyo(source: string): Conversion {
  const problems: ConversionProblem[] = [];
  const report = (severity: 'error' | 'warning', code: string, message: string, { at }: DjangoToken) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ severity, code, message, ...placeOf(source, at) });
  };
  const written: string[] = [];
  const writer = new TagWriter(written);
  let literalUntil: string | undefined;
  for (const token of readTokens(source)) {
    const [tag = ''] = token.kind === 'tag' ? token.content.split(/\s/, 1) : [];
    if (literalUntil !== undefined) {
      const isEnd = tag === literalUntil;
      written.push(isEnd && tag === 'endverbatim' ? '{% endraw %}' : token.source);
      if (isEnd) literalUntil = undefined;
    } else if (token.kind === 'text') written.push(token.source);
    else if (token.kind === 'comment') written.push(`{% comment %}${token.content}{% endcomment %}`);
    else if (Object.hasOwn(LITERAL, tag)) {
      literalUntil = LITERAL[tag];
      written.push(tag === 'verbatim' ? '{% raw %}' : token.source);
    } else {
      try {
        const warn = (message: string) => report('warning', 'changed_meaning', message, token);
        written.push(
          token.kind === 'output'
            ? writer.output(token.content, warn)
            : writer.tag(tag, token.content.slice(tag.length).trim(), warn),
        );
      } catch (error) {
        if (!(error instanceof NoEqual)) throw error;
        written.push(token.source);
        writer.leave(tag);
        const shown = token.source.length > 100 ? `${token.source.slice(0, 99)}…` : token.source;
        report('error', 'no_equal', `Nothing here is equal to ${error.message}, so ${shown} stays as it is`, token);
      }
    }
  }
  return { source: written.join(''), problems };
}
