import { expect } from 'chai';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { compileContent } from '../../src/domain/templates/core/compile-content.ts';
import { renderContent } from '../../src/domain/templates/core/render-content.ts';
import { DATA } from './support/compiling.ts';

const RUNS = Number(process.env.SOAK_ROUNDS ?? 1) * 400;
const SEED = 41;

/** Parts of templates, well-formed and not, which are put together at random. */
const PARTS = [
  ...[
    '<',
    '>',
    '</',
    '<!--',
    '-->',
    '<p',
    '<p>',
    '</p>',
    '<a href="',
    '<a href=',
    "<a title='",
    '"',
    "'",
    ' ',
    '\n',
    '=',
  ],
  ...[
    '<style>',
    '</style>',
    '<title>',
    '</title>',
    '<textarea>',
    '<img alt="" src="',
    '<td style="',
    '<b>',
    '</b>',
    '/>',
    '&',
    '&#',
  ],
  ...[
    '{{ data.a }}',
    '{{ data.a | raw }}',
    '{{- data.b -}}',
    '{{ data.c | upcase }}',
    '{{ data.list | join: data.a }}',
    '{{',
  ],
  ...[
    '{% if data.a %}',
    '{% else %}',
    '{% endif %}',
    '{% for x in data.list %}',
    '{{ x }}',
    '{% endfor %}',
    '{% break %}',
    '%}',
  ],
  ...[
    '{% assign y = data.b | append: data.a %}',
    '{% capture z %}',
    '{% endcapture %}',
    '{{ z }}',
    '{% raw %}',
    '{% endraw %}',
  ],
  ...['{% comment %}', '{% endcomment %}', 'https://a.example/?', 'javascript:', 'text', 'script', 'onclick', '{'],
];
const PIECES = fc.array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ maxLength: 4 })), { maxLength: 25 });
/** Templates that compile more often: whole elements with whole Liquid in them. */
const WHOLE = fc.array(
  fc.constantFrom(
    '<p title="{{ data.a }}">{{ data.b }}</p>',
    "<a href='{{ data.a }}{{ data.b }}'>x</a>",
    '<td style="color:{{ data.a }}">',
    '{% for x in data.list %}<i>{{ x }}</i>{% else %}<u>none</u>{% endfor %}',
    '{% if data.a == data.b %}<b class="{% if data.c %}{{ data.c }}{% endif %}">b</b>{% endif %}',
    '{% capture z %}<p>{{ data.a }}{% endcapture %}{{ z }}',
    '<!-- c --><title>{{ data.c }}</title>',
    '<img alt="{{ data.a }}" src="{{ data.b }}">',
    '{%- assign y = data.list | join: data.c -%} {{ y | truncate: 9 }}',
    '{% raw %}<b>{{ x }}</b>{% endraw %}',
    '< &lt; &',
  ),
  { maxLength: 12 },
);
const HOSTILE = [
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onload='x",
    'javascript:x',
    '-->',
    '</title><svg>',
    ']]>',
  ],
  ...[
    '{{ data.a }}',
    '{% endif %}',
    '\u0000',
    '\r\n',
    '\uE000\uE001',
    '&quot;&#39;&lt;',
    'https://a.example/"x',
    '<',
    '&#',
    '\u2028',
  ],
];
const TEXT = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 9 }),
);
const VALUE = fc.oneof(TEXT, fc.integer(), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }));
/** HTML of all kinds, in pieces. */
const MARKUP = fc
  .array(
    fc.constantFrom(
      '<b>',
      '</b>',
      '<a href="javascript:x">',
      '<a href=https://a.example>',
      '<p onclick=x>',
      '</div>',
      ...HOSTILE,
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => ({ a: parts.join(''), b: 'b', c: parts.reverse().join(''), list: [] }));
const VALUES = fc.record({ a: VALUE, b: VALUE, c: TEXT, list: fc.array(VALUE, { maxLength: 4 }) });

/** The elements of an HTML and the names of their attributes, in their order. */
function outlineOf(html: string): string[] {
  const outline: string[] = [];
  new Parser({
    onopentag: (name, attributes) => outline.push([name, ...Object.keys(attributes)].join(' ')),
    oncomment: (text) => outline.push(`<!-- ${text}`),
  }).end(html);
  return outline;
}

const FIELDS = { subject: 'subject', preheader: 'preheader', html: 'body', text: 'text' };

function messageOf(html: string, data: Record<string, unknown>) {
  const source = { channel: 'email' as const, subject: 's{{ data.a }}', preheader: 'p{{ data.b }}', html, text: null };
  const { content, problems } = compileContent(source, { class: 'transactional', fields: FIELDS });
  if (!content) return { problems };
  return {
    problems,
    message: renderContent(
      { format: 1, reads: [], locale: 'en', contents: { en: content } },
      { ...DATA, data },
      { timeZone: 'UTC' },
    ),
  };
}

describe('Any template with any values', () => {
  it('compiles, or has a problem, and renders to a message within its bounds, or a failure', () => {
    let rendered = 0;
    const property = fc.property(fc.oneof(PIECES, WHOLE), VALUES, (parts, data) => {
      const { problems, message } = messageOf(parts.join(''), data);
      expect(problems.some(({ severity }) => severity === 'error')).to.equal(message === undefined);
      if (!message) return;
      if ('code' in message) {
        expect(message.code).to.be.oneOf(['too_large', 'render_failed']);
        return;
      }
      rendered += 1;
      expect(message.html.length).to.be.below(524_289);
      expect(message.subject).to.match(/^[^\r\n\0\u2028]{1,250}$/u);
    });
    fc.assert(property, { numRuns: RUNS, seed: SEED });
    expect(rendered).to.be.above(RUNS / 10);
  });

  it('has no element, attribute or comment that it has not with other values', () => {
    // Raw values add elements, and loops and conditions repeat those of the template.
    const parts = fc.oneof(PIECES, WHOLE).map((all) => all.filter((part) => !/raw|if|for|else|break/.test(part)));
    const harmless = { a: 'a', b: 'b', c: 'c', list: ['d'] };
    let compared = 0;
    const property = fc.property(parts, VALUES, (all, data) => {
      const [given, expected] = [messageOf(all.join(''), data), messageOf(all.join(''), harmless)];
      if (!given.message || 'code' in given.message || !expected.message || 'code' in expected.message) return;
      compared += 1;
      expect(outlineOf(given.message.html)).to.deep.equal(outlineOf(expected.message.html));
    });
    fc.assert(property, { numRuns: RUNS, seed: SEED });
    expect(compared).to.be.above(RUNS / 10);
  });

  it('has what raw lets through besides, and nothing else', () => {
    const raw = fc.constantFrom('{{ data.a | raw }}', '<div>{{ data.c | raw }}</div>');
    const element =
      /^(?:<!-- .*|title|td style|(?:p|b|i|u|div|a)(?: (?:title|class|href|style))?|img (?:alt src|src alt)|br|h[1-4]|em|li|ul|s)$/;
    const property = fc.property(fc.tuple(WHOLE, raw, WHOLE), MARKUP, (parts, data) => {
      const { message } = messageOf(parts.flat().join(''), data);
      if (!message || 'code' in message) return;
      for (const found of outlineOf(message.html)) expect(found).to.match(element);
    });
    fc.assert(property, { numRuns: RUNS, seed: SEED });
  });
});
