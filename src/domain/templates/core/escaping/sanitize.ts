import { Parser } from 'htmlparser2';
import { BOUNDS, TooLarge } from '../bounds.ts';
import { escapeHtml } from './escape.ts';
import { safeUrl } from './urls.ts';

const ALLOWED = new Set(
  'a b blockquote br code div em h1 h2 h3 h4 hr i li ol p pre s span strong sub sup u ul'.split(' '),
);
const EMPTY = new Set(['br', 'hr']);
/** What is not shown is not let through as text either. */
const SILENT = new Set(
  'script style title textarea iframe noembed noframes noscript template xmp plaintext svg math'.split(' '),
);
const MAX_OPEN = 50;

/**
 * Lets HTML of a value through that formats text, and no attribute but where a link leads to; of everything else, the
 * text. All that is opened is closed.
 */
export function sanitizeHtml(html: string): string {
  if (html.length > BOUNDS.raw) throw new TooLarge(`HTML of a value is longer than ${BOUNDS.raw} characters`);
  let result = '';
  let silent = 0;
  const open: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (SILENT.has(name)) silent += 1;
      if (silent > 0 || !ALLOWED.has(name) || open.length >= MAX_OPEN) return;
      const url = name === 'a' ? safeUrl(attributes.href ?? '') : undefined;
      result += url === undefined ? `<${name}>` : `<${name} href="${escapeHtml(url)}">`;
      if (!EMPTY.has(name)) open.push(name);
    },
    onclosetag(name) {
      if (SILENT.has(name)) silent -= 1;
      const at = open.lastIndexOf(name);
      if (silent > 0 || at < 0) return;
      for (const inner of open.splice(at).reverse()) result += `</${inner}>`;
    },
    ontext(text) {
      if (silent === 0) result += escapeHtml(text);
    },
  });
  parser.end(html);
  for (const name of open.reverse()) result += `</${name}>`;
  return result;
}
