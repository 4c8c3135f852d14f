/** A part of a template of Django: `{{ output }}`, `{% tag %}`, `{# comment #}`, and the text between them. */
export interface DjangoToken {
  kind: 'text' | 'output' | 'tag' | 'comment';
  /** As it is written. */
  source: string;
  /** Without what it begins and ends with. */
  content: string;
  at: number;
}

const KINDS = { '{': ['output', '}}'], '%': ['tag', '%}'], '#': ['comment', '#}'] } as const;

/** What is never closed is text. */
export function readTokens(source: string): DjangoToken[] {
  const tokens: DjangoToken[] = [];
  const lastEnds = Object.fromEntries(Object.values(KINDS).map(([, end]) => [end, source.lastIndexOf(end)]));
  let done = 0;
  const add = (kind: DjangoToken['kind'], end: number) => {
    const text = source.slice(done, end);
    const content = kind === 'text' ? text : text.slice(2, -2).trim();
    if (text !== '') tokens.push({ kind, source: text, content, at: done });
    done = end;
  };
  for (let at = source.indexOf('{'); at >= 0; at = source.indexOf('{', at)) {
    const [kind, end] = KINDS[source[at + 1] as keyof typeof KINDS] ?? [];
    if (kind === undefined || (lastEnds[end] as number) < at + 2) {
      at += 1;
      continue;
    }
    add('text', at);
    at = source.indexOf(end, at + 2) + 2;
    add(kind, at);
  }
  add('text', source.length);
  return tokens;
}
