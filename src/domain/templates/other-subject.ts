import type { CompiledContent, CompiledTemplate } from './core/compiled.ts';
import { readLiquid, writePieces } from './core/liquid/read-liquid.ts';
import { Problems } from './core/problems.ts';

/** Says what is wrong with a subject, in Liquid; undefined if it is well. */
export function problemOfSubject(subject: string): string | undefined {
  if (subject.trim() === '') return 'must not be blank';
  const problems = new Problems();
  readLiquid(subject, problems.in('subject', subject));
  const [first] = problems.all.filter(({ severity }) => severity === 'error');
  return first && `can't be used: ${first.message}`;
}

/** Whether a subject, in Liquid, shows the code of a coupon, perhaps only where there is one. */
export function showsCoupon(subject: string | null): boolean {
  const read = subject === null ? null : readLiquid(subject, () => {});
  return read?.paths.some(({ path }) => path[0] === 'coupon') ?? false;
}

/** The same template with another subject in all its languages, of which `problemOfSubject` says nothing. */
export function withSubject(template: CompiledTemplate, subject: string): CompiledTemplate {
  const read = readLiquid(subject, () => {});
  // A later version may refuse what an earlier one took.
  if (!read) return template;
  const written = writePieces(subject, read.pieces, '_text');
  const contents = Object.entries(template.contents).map(([locale, content]): [string, CompiledContent] => [
    locale,
    { ...content, subject: written },
  ]);
  return { ...template, contents: Object.fromEntries(contents) };
}
