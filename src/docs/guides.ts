import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, Renderer, type Tokens } from 'marked';

/** A page of the docs that was written as markdown. */
export interface Guide {
  /** Where it is served: `/docs/identity`; the one named `index` at `/docs`. */
  path: string;
  title: string;
  html: string;
  /** Of the second level. */
  sections: readonly Section[];
}

export interface Section {
  id: string;
  html: string;
}

/** In the order in which they are listed. */
const NAMES = [
  'index',
  'quick-start',
  'automations',
  'automations-by-example',
  'webhooks',
  'messages',
  'catalog',
  'orders',
  'audiences',
  'privacy',
  'people',
  'migrating',
  'identity',
  'errors',
  'performance',
  'scaling',
];
const FOLDER = join(import.meta.dirname, 'guides');

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const id = idOf(text);
      return `<h${depth} id="${id}"><a class="docs-anchor" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
    },
    // What is wider than the page scrolls by itself, by the keyboard too.
    code(token) {
      return Renderer.prototype.code.call(this, token).replace('<pre>', '<pre class="docs-code" tabindex="0">');
    },
    table(token) {
      return `<div class="docs-table" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`;
    },
  },
  // The files lead to each other, so that they can be read in the repository too.
  walkTokens: (token) => {
    if (token.type === 'link') token.href = token.href.replace(/^([\w-]+)\.md(?=#|$)/, '/docs/$1');
    if (token.type === 'image') token.href = token.href.replace(/^\.\.\/assets\//, '/docs/assets/');
  },
});

let all: Guide[] | undefined;

/** Every guide, in order. Rendered when the first is asked for: no start should wait for that. */
export function guides(): readonly Guide[] {
  all ??= NAMES.map(render);
  return all;
}

/** Where the guides are, in order. */
export const GUIDE_PATHS: readonly string[] = NAMES.map(pathOf);

function render(name: string): Guide {
  const text = readFileSync(join(FOLDER, `${name}.md`), 'utf8');
  const headings = marked.lexer(text).filter((token): token is Tokens.Heading => token.type === 'heading');
  return {
    path: pathOf(name),
    title: headings[0]?.text ?? name,
    html: marked.parse(text, { async: false }),
    sections: headings
      .filter(({ depth }) => depth === 2)
      .map((heading) => ({ id: idOf(heading.text), html: marked.parseInline(heading.text, { async: false }) })),
  };
}

function pathOf(name: string): string {
  return name === 'index' ? '/docs' : `/docs/${name}`;
}

/** "1. Make a key" → `1-make-a-key`. */
function idOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-');
}
