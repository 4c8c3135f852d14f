import type { DirectContent } from '../messages/send-directly.ts';
import { escapeHtml } from '../templates/core/escaping/escape.ts';

/** A line of a list; `href` is where it leads. */
export interface Line {
  text: string;
  href?: string | undefined;
}

/** A part of a mail: a list, or a table whose first row and first column are headings. */
export interface Part {
  heading: string;
  lines?: readonly Line[] | undefined;
  table?: readonly (readonly string[])[] | undefined;
}

export interface MailText {
  subject: string;
  title: string;
  parts: readonly Part[];
  /** Why one gets it, and where that is changed. */
  footer: Line;
}

const BODY = 'margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1f2328;background:#ffffff';
const CELL = 'padding:4px 16px 4px 0;text-align:left;vertical-align:top';

/** Says the same as text and as HTML, which is simple enough for any program that shows mails. */
export function writeMail({ subject, title, parts, footer }: MailText): DirectContent {
  const text = [title, ...parts.map(textOf), `--\n${lineText(footer)}`].join('\n\n');
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(subject)}</title></head><body style="${BODY}">
<h1 style="font-size:20px;margin:0 0 16px">${escapeHtml(title)}</h1>
${parts.map(htmlOf).join('\n')}
<p style="font-size:13px;color:#59636e;margin:32px 0 0">${lineHtml(footer)}</p>
</body></html>`;
  return { subject: subject.replaceAll(/\s+/g, ' ').trim(), text, html };
}

function textOf({ heading, lines = [], table = [] }: Part): string {
  const widths = (table[0] ?? []).map((_, i) => Math.max(...table.map((row) => (row[i] ?? '').length)));
  const rows = table.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [heading, ...rows, ...lines.map((line) => `- ${lineText(line)}`)].join('\n');
}

function lineText({ text, href }: Line): string {
  return href === undefined ? text : `${text}\n  ${href}`;
}

function htmlOf({ heading, lines = [], table = [] }: Part): string {
  const rows = table.map((row, r) => {
    const cells = row.map((cell, c) => {
      const name = r === 0 || c === 0 ? 'th' : 'td';
      const scope = r === 0 ? ' scope="col"' : c === 0 ? ' scope="row"' : '';
      return `<${name}${scope} style="${CELL}${name === 'td' ? '' : ';font-weight:600'}">${escapeHtml(cell)}</${name}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const items = lines.map((line) => `<li>${lineHtml(line)}</li>`);
  return [
    `<h2 style="font-size:16px;margin:24px 0 8px">${escapeHtml(heading)}</h2>`,
    ...(rows.length > 0 ? [`<table style="border-collapse:collapse">${rows.join('')}</table>`] : []),
    ...(items.length > 0 ? [`<ul style="margin:0;padding-left:20px">${items.join('')}</ul>`] : []),
  ].join('\n');
}

function lineHtml({ text, href }: Line): string {
  return href === undefined ? escapeHtml(text) : `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
}
