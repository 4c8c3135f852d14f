export interface MailView {
  loadsImages: boolean;
  scheme: 'light' | 'dark';
}

/** Comments, what has no elements within it, and the start of every element. */
const TOKEN =
  /<!--[\s\S]*?-->|<(title|textarea)\b[\s\S]*?<\/\1\s*>|<style\b([^>]*)>([\s\S]*?)<\/style\s*>|<[a-z](?:"[^"]*"|'[^']*'|[^'"<>])*>/gi;
const STYLE = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
/** The style of an element counts more than those of sheets, but for what is `!important` there. */
const ABOVE_SHEETS = ':not(#s#s#s)';
/** Attributes by which something is loaded. */
const LOADING = /\s(?:src|srcset|background|poster)\s*=\s*(?:"(?!data:)[^"]*"|'(?!data:)[^']*')/gi;

/**
 * The HTML of an e-mail as the document of a frame with `sandbox`, which has the policy of this page: styles need the nonce.
 * So style sheets get it, and the styles of elements become one of them; that is done in the text, as parsers apply the
 * policy. Links lead nowhere. Images of other hosts, which would learn that somebody looks at them, are loaded only with
 * `loadsImages`. Whatever is missed here, the policy refuses.
 */
export function mailDocument(html: string, nonce: string, { loadsImages, scheme }: MailView): string {
  const rules: string[] = [];
  const body = html.replaceAll(TOKEN, (token, _raw, ofSheet?: string, sheet?: string) => {
    if (sheet !== undefined) return `<style nonce="${nonce}"${ofSheet}>${inScheme(sheet, scheme)}</style>`;
    if (token.startsWith('<!')) return '';
    const styled = token.replace(STYLE, (_attribute, double?: string, single?: string) => {
      rules.push(`[data-style="${rules.length}"]${ABOVE_SHEETS}{${declarations(double ?? single ?? '')}}`);
      return ` data-style="${rules.length - 1}"`;
    });
    return loadsImages ? styled : styled.replaceAll(LOADING, '');
  });
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:${loadsImages ? ' https:' : ''}`;
  return [
    '<!doctype html><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<base target="_blank">',
    `<style nonce="${nonce}">${rules.join('\n')}</style>`,
    body,
  ].join('');
}

/** What a style sheet says of dark and light programs holds as chosen, whatever the browser prefers. */
function inScheme(sheet: string, scheme: MailView['scheme']): string {
  return sheet.replaceAll(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_, named: string) =>
    named.toLowerCase() === scheme ? '(min-width: 0)' : '(max-width: 0)',
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  '#39': "'",
  '#34': '"',
  '#x27': "'",
};

/** What the value of an attribute says, without what would end the rule that it becomes. */
function declarations(value: string): string {
  const text = value.replaceAll(
    /&(quot|apos|amp|#39|#34|#x27);/gi,
    (_entity, name) => ENTITIES[name.toLowerCase()] ?? '',
  );
  return text.replaceAll(/[<{}]/g, '');
}
