import { Parser } from 'htmlparser2';

/** Returns what HTML means that has no tags, as in text or the value of an attribute. */
export function decodeEntities(html: string): string {
  if (!html.includes('&')) return html;
  let decoded = '';
  const parser = new Parser({ onattribute: (_, value) => (decoded = value) });
  parser.end(`<a b="${html.replaceAll('"', '&quot;')}">`);
  return decoded;
}
