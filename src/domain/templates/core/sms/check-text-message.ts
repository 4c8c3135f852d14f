import { BOUNDS } from '../bounds.ts';
import type { LiquidText } from '../liquid/read-liquid.ts';
import type { Report } from '../problems.ts';
import { countSegments, firstOutside } from './segments.ts';

/** Reports what is wrong with the text of text messages, or costs more than its author may know. */
export function checkTextMessage(text: LiquidText, kind: 'marketing' | 'transactional', report: Report): void {
  const { source, pieces, paths } = text;
  if (source.trim() === '') report({ code: 'missing_text', message: 'A text message has a text', at: null });
  const fixed = fixedParts(text);
  const { count } = countSegments(
    fixed
      .map(({ part }) => part)
      .join('')
      .trim(),
  );
  if (count > BOUNDS.segments && pieces.length === 0) {
    report({ code: 'too_large', message: `The text has ${count} segments; ${BOUNDS.segments} are the most`, at: null });
  } else if (count >= BOUNDS.manySegments) {
    const message = `What is always the same is ${count} segments already, each of which is charged`;
    report({ severity: 'warning', code: 'many_segments', message, at: null });
  }
  const [outside] = fixed.flatMap(({ part, at }) => {
    const found = firstOutside(part);
    return found ? [{ ...found, at: at + found.at }] : [];
  });
  if (outside) {
    const message = `Phones have no short form of ${JSON.stringify(outside.character)}: a segment has 70 characters, not 160`;
    report({ severity: 'warning', code: 'not_gsm7', message, at: outside.at });
  }
  const hasWayOut = paths.some(({ path }) => path[0] === 'unsubscribe_url') || /\bstop\b/i.test(source);
  if (kind === 'marketing' && !hasWayOut) {
    const message =
      'Marketing should say how to get no more of it: {{ unsubscribe_url }}, or a word such as STOP to answer';
    report({ severity: 'warning', code: 'missing_way_out', message, at: null });
  }
}

/** What stands between tags and outputs, and where. */
function fixedParts({ source, pieces }: LiquidText): { part: string; at: number }[] {
  const parts: { part: string; at: number }[] = [];
  let at = 0;
  for (const { begin, end } of pieces) {
    if (begin > at) parts.push({ part: source.slice(at, begin), at });
    at = Math.max(at, end);
  }
  if (at < source.length) parts.push({ part: source.slice(at), at });
  return parts;
}
