import { escapeHtml } from '../escaping/escape.ts';

/** What begins or ends something, if it has a partner: the escape of a character, `*` to `***`, `[`, and `](url)`. */
const MARK = /\\([\\*[\]()-])|\*{1,3}|\[|\]\(([^()\s]{1,2000})\)/g;
const LIST_ITEM = /^(?:[-*]|(\d{1,3})\.)[ \t]+/;

export interface MarkupOptions {
  /** Attributes of each `a` but its `href`, with a space before. */
  linkAttributes: string;
  /** Told of each URL. */
  onUrl?(url: string): void;
}

/**
 * Turns the markup of texts into HTML: paragraphs are parted by empty lines, lists have lines that begin with `-` or `1.`,
 * and within a line there are `**bold**`, `*italic*` and `[links](https://…)`; a backslash takes the meaning from a sign.
 * All else is text, HTML included.
 */
export function markupToHtml(source: string, options: MarkupOptions): string {
  const parts = source
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n\s*/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.map((part, i) => partToHtml(part, i === parts.length - 1, options)).join('');
}

/** A paragraph, or lists and lines in turn. */
function partToHtml(part: string, isLast: boolean, options: MarkupOptions): string {
  const margin = isLast ? '0' : '0 0 1em';
  const groups: { tag: 'p' | 'ul' | 'ol'; lines: string[] }[] = [];
  for (const line of part.split('\n')) {
    const item = LIST_ITEM.exec(line.trimStart());
    const tag = !item ? 'p' : item[1] === undefined ? 'ul' : 'ol';
    const text = item ? line.trimStart().slice(item[0].length) : line;
    const group = groups.at(-1);
    if (group?.tag === tag) group.lines.push(text);
    else groups.push({ tag, lines: [text] });
  }
  return groups
    .map(({ tag, lines }) => {
      if (tag === 'p') return `<p style="margin:${margin}">${inlineToHtml(lines.join('\n'), options)}</p>`;
      const items = lines.map((line) => `<li>${inlineToHtml(line, options)}</li>`).join('');
      return `<${tag} style="margin:${margin};padding-left:1.5em">${items}</${tag}>`;
    })
    .join('');
}

/** A sign that waits for its partner, and where its tag goes. */
interface Open {
  sign: string;
  at: number;
}

function inlineToHtml(text: string, { linkAttributes, onUrl }: MarkupOptions): string {
  const pieces: string[] = [];
  const open: Open[] = [];
  const push = (piece: string) => pieces.push(escapeHtml(piece).replaceAll('\n', '<br />'));
  /** Ends what was begun last with the sign; what was begun since stays as it is written. */
  const close = (sign: string, begin: string, end: string): boolean => {
    const k = open.findLastIndex((one) => one.sign === sign);
    if (k < 0) return false;
    pieces[(open[k] as Open).at] = begin;
    open.length = k;
    pieces.push(end);
    return true;
  };
  let done = 0;
  for (const match of text.matchAll(MARK)) {
    push(text.slice(done, match.index));
    done = match.index + match[0].length;
    const [sign, escaped, url] = match;
    const before = text[match.index - 1] ?? ' ';
    const after = text[done] ?? ' ';
    if (escaped !== undefined) push(escaped);
    else if (url !== undefined) {
      if (close('[', `<a href="${escapeHtml(url)}"${linkAttributes}>`, '</a>')) onUrl?.(url);
      else push(sign);
    } else if (sign === '[') {
      // A link has no other within it.
      if (!open.some((one) => one.sign === '[')) open.push({ sign, at: pieces.length });
      push(sign);
    } else {
      const starsOpen = open.filter((one) => one.sign !== '[').map((one) => one.sign);
      // Three are two and one, whichever was opened last.
      const parts = sign !== '***' ? [sign] : starsOpen.at(-1) === '**' ? ['**', '*'] : ['*', '**'];
      const isClosing = !/\s/.test(before) && parts.every((part) => starsOpen.includes(part));
      for (const part of isClosing ? parts : parts.reverse()) {
        const [begin, end] = part === '**' ? ['<strong>', '</strong>'] : ['<em>', '</em>'];
        if (isClosing && close(part, begin, end)) continue;
        if (!/\s/.test(after)) open.push({ sign: part, at: pieces.length });
        push(part);
      }
    }
  }
  push(text.slice(done));
  return pieces.join('');
}
