import { expect } from 'chai';
import { Parser } from 'htmlparser2';
import { compileTemplate } from '../../src/domain/templates/compiling/compile-template.ts';
import { toHtml } from '../../src/domain/templates/compiling/to-html.ts';
import type { Block, TemplateBlocks } from '../../src/domain/templates/core/blocks/blocks.ts';
import { compileContent } from '../../src/domain/templates/core/compile-content.ts';
import { convertKlaviyo } from '../../src/domain/templates/core/convert/convert-klaviyo.ts';

type TemplateBody = { kind: 'blocks'; body: TemplateBlocks } | { kind: 'mjml' | 'html'; body: string };

const makeHtml = ({ kind, body }: TemplateBody) =>
  toHtml(kind, body as string | Record<string, unknown>, { locale: 'de', field: 'body' });

async function htmlOf(body: TemplateBody): Promise<string> {
  const { html, problems } = await makeHtml(body);
  expect(problems).to.deep.equal([]);
  return html as string;
}

async function problemsOf(body: TemplateBody): Promise<string[]> {
  const { problems } = await makeHtml(body);
  return problems.map(({ severity, field, code, line, column }) => [severity, field, code, line, column].join(' '));
}

/** What has to be shown to a customer, compiled as the template's HTML. */
function compiled(html: string) {
  const fields = { subject: 'subject', preheader: 'preheader', html: 'body', text: 'text' };
  const source = { channel: 'email' as const, subject: 'Hi', preheader: 'Seen first', html, text: null };
  return compileContent(source, { class: 'marketing', fields, isHtmlMade: true });
}

function elementsOf(html: string): string[] {
  const names: string[] = [];
  new Parser({ onopentagname: (name) => names.push(name) }).end(html);
  return names;
}

const mjml = (body: string, head = '') => `<mjml><mj-head>${head}</mj-head><mj-body>${body}</mj-body></mjml>`;
const inColumn = (content: string) => mjml(`<mj-section><mj-column>${content}</mj-column></mj-section>`);

const EVERY_BLOCK: Block[] = [
  { type: 'heading', text: 'Hi {{ profile.attributes.first_name | default: "you" }}' },
  { type: 'text', text: '**Bold** {% if event %}[there](https://shop.example/{{ event.properties.id }}){% endif %}' },
  { type: 'button', text: 'Buy', url: '{{ event.properties.url }}' },
  { type: 'image', url: 'https://shop.example/a.png', alt: 'A', link: 'https://shop.example' },
  { type: 'divider' },
  { type: 'spacer', height: 20 },
  {
    type: 'repeat',
    over: 'event.properties.items',
    blocks: [
      { type: 'columns', columns: [{ blocks: [{ type: 'product', currency: 'EUR', button: 'Buy' }] }, { blocks: [] }] },
    ],
  },
  {
    type: 'columns',
    columns: [{ blocks: [{ type: 'repeat', over: 'data.a', blocks: [{ type: 'product' }] }] }, { blocks: [] }],
  },
  { type: 'social', links: [{ name: 'Instagram', url: 'https://instagram.example/shop' }] },
  { type: 'html', html: '<table role="presentation"><tr><td>{{ store.name }}</td></tr></table>' },
  { type: 'footer' },
];

describe('HTML of an e-mail', () => {
  describe('made of blocks', () => {
    it('is what a template can be published with, whichever blocks it has', async () => {
      const html = await htmlOf({ kind: 'blocks', body: { blocks: EVERY_BLOCK } });
      const { content, problems } = compiled(html);
      expect(problems).to.deep.equal([]);
      expect(content?.text).to.contain('Bold');
      expect(html)
        .to.match(/<html lang="de"/)
        .and.to.contain('prefers-color-scheme: dark');
      expect(html).not.to.match(/fonts\.googleapis|@import|<link|[\uE000-\uF8FF]/);
    });

    it('has no element because of a text', async () => {
      const hostile = `"><script>x</script><img src=x></mj-text></td></table>'\``;
      const withText = (text: string): Block[] => [
        { type: 'heading', text },
        { type: 'text', text },
        { type: 'button', text, url: `https://a.example/${text}` },
        { type: 'image', url: `https://a.example/${text}`, alt: text },
        { type: 'social', links: [{ name: text, url: `https://a.example/${text}` }] },
        { type: 'footer', unsubscribe: text },
      ];
      const [plain, attacked] = await Promise.all(
        ['harmless', hostile].map((text) => htmlOf({ kind: 'blocks', body: { blocks: withText(text) } })),
      );
      expect(elementsOf(attacked as string)).to.deep.equal(elementsOf(plain as string));
    });

    it('names the block that is wrong', async () => {
      const blocks: Block[] = [
        { type: 'columns', columns: [{ blocks: [] }, { blocks: [{ type: 'text', text: 'a\n{{ nothing }}' }] }] },
        { type: 'image', url: 'a.png', alt: '' },
      ];
      expect(await problemsOf({ kind: 'blocks', body: { blocks } })).to.deep.equal([
        'error body.blocks[0].columns[1].blocks[0].text unknown_path 2 4',
        'error body.blocks[1].url invalid_url  ',
      ]);
    });
  });

  describe('made of MJML', () => {
    it('has its Liquid where it was, between elements as well', async () => {
      const source = `{% assign name = profile.attributes.name | default: "<b>" %}
<mjml>
  <mj-body>
    {% for item in event.properties.items %}
    <mj-section><mj-column>
      {% if item.url %}<mj-button href="{{ item.url | append: '"/>' }}">Buy {{ item.title }}</mj-button>{% endif %}
      <mj-table>{% for row in item.rows %}<tr><td>{{ row }}</td></tr>{% endfor %}</mj-table>
    </mj-column></mj-section>
    {% endfor %}
  </mj-body>
</mjml>`;
      const html = await htmlOf({ kind: 'mjml', body: source });
      const liquid = /\{[{%].*?[%}]\}/g;
      expect(html.match(liquid)).to.deep.equal(source.match(liquid));
      expect(html)
        .to.match(/^{% assign/)
        .and.to.contain(`href="{{ item.url | append: '"/>' }}"`);
      const { problems } = compiled(`${html}{{ store.postal_address }}<a href="{{ unsubscribe_url }}">x</a>`);
      expect(problems).to.deep.equal([]);
    });

    it('has the language of the template, unless it names one', async () => {
      expect(await htmlOf({ kind: 'mjml', body: inColumn('<mj-text>a</mj-text>') })).to.contain('<html lang="de"');
      const french = inColumn('<mj-text>a</mj-text>').replace('<mjml>', '<mjml lang="fr">');
      expect(await htmlOf({ kind: 'mjml', body: french })).to.contain('<html lang="fr"');
    });

    it('has the styles that are to be inlined', async () => {
      const head =
        '<mj-style inline="inline">.x p { color: #123456 }</mj-style><mj-style>.y { color: #654321 }</mj-style>';
      const html = await htmlOf({
        kind: 'mjml',
        body: mjml('<mj-section><mj-column><mj-text css-class="x"><p>a</p></mj-text></mj-column></mj-section>', head),
      });
      expect(html)
        .to.match(/<p style="color:\s?#123456;">/)
        .and.to.contain('.y { color: #654321 }');
    });

    const wrong: [what: string, source: string, ...problems: string[]][] = [
      [
        'a file',
        '<mjml>\n<mj-body>\n  <mj-include path="/etc/passwd" />\n</mj-body></mjml>',
        'error body unknown_element 3 3',
      ],
      [
        'a font from elsewhere',
        mjml('', '<mj-font name="A" href="https://a.example/a.css" />'),
        'error body unknown_element 1 16',
      ],
      ['an unknown element', inColumn('\n\n<mj-video />'), 'error body unknown_element 3 1'],
      ['HTML where MJML stands', inColumn('\n<p>a</p>'), 'error body unknown_element 2 1'],
      ['text where MJML stands', mjml('\n hello'), 'error body stray_text 2 2'],
      [
        'an element in another that does not take it',
        mjml('\n<mj-column></mj-column>'),
        'error body unknown_element 2 1',
      ],
      [
        'an element of MJML in a text',
        inColumn('<mj-text>\n<mj-button>a</mj-button></mj-text>'),
        'error body unknown_element 2 1',
      ],
      [
        'an attribute that means nothing',
        mjml('{% comment %}\n\n{% endcomment %}\n<mj-section colour="red"></mj-section>'),
        'warning body invalid_attribute 4 1',
      ],
      [
        'Liquid in a tag',
        inColumn('\n<mj-text {% if event %}align="left"{% endif %}>a</mj-text>'),
        'error body liquid_in_tag 2 1',
      ],
      [
        'Liquid in a colour',
        inColumn('<mj-text color="{{ event.properties.c }}">a</mj-text>'),
        'error body liquid_in_attribute 1 58',
      ],
      [
        'Liquid in a style sheet',
        mjml('', '<mj-style>\na{color:{{ store.name }}}</mj-style>'),
        'error body liquid_in_style 2 9',
      ],
      ['Liquid in a comment', inColumn('\n<!-- {{ store.name }} -->'), 'error body liquid_in_comment 2 1'],
      ['Liquid that is wrong', inColumn('\n<mj-text>{{ a.b }}</mj-text>'), 'error body unknown_path 2 13'],
      ['no MJML at all', '<p>Hello</p>', 'error body unknown_element 1 1', 'error body malformed_mjml 1 1'],
      ['nothing', '', 'error body malformed_mjml 1 1'],
      ['elements in one another without end', mjml('<mj-section>'.repeat(2000)), 'error body malformed_mjml  '],
    ];
    for (const [what, source, ...problems] of wrong) {
      it(`refuses ${what}, by its line`, async () => {
        expect(await problemsOf({ kind: 'mjml', body: source })).to.include.members(problems);
      });
    }
  });

  describe('written as HTML', () => {
    it('changes by the styles of its elements alone', async () => {
      const source = `<!DOCTYPE html><HTML><head><style>
td { color: #123456 } .a { font-family: "Courier New" } @media (max-width: 1px) { td { color: red } } a:hover { color: red }
</style></head><Body>
<table>{% for item in event.properties.items %}
<tr>{% if item.a %}<td class=a>{% else %}<td style='margin:"0"'>{% endif %}{{ item.b | append: "<td>" }}</td></tr>
{% endfor %}</table><p style="color: {{ profile.attributes.color }}" class="a">x<br></body></html>`;
      const html = await htmlOf({ kind: 'html', body: source });
      const own = [' style=\'margin:"0"\'', ' style="color: {{ profile.attributes.color }}"'];
      const styles = / style=(?:"[^"]*"|'[^']*')/g;
      expect(html.replaceAll(styles, '')).to.equal(source.replaceAll(styles, ''));
      expect(html.match(styles)?.map((style) => style.replaceAll(/\s/g, ''))).to.deep.equal([
        `style="color:#123456;font-family:'CourierNew';"`,
        'style="color:#123456;margin:&quot;0&quot;"',
        `style="font-family:'CourierNew';color:{{profile.attributes.color}}"`,
      ]);
      expect(own).to.have.length(source.match(styles)?.length as number);
    });

    it('stays as it is without style sheets', async () => {
      const source = '<p STYLE=color:red>a<td style><p style="">{{ store.name }}';
      expect(await htmlOf({ kind: 'html', body: source })).to.equal(source);
    });

    it('loads no style sheet', async () => {
      const source =
        '<style>p{color:red}</style>\n<link rel="stylesheet" href="http://127.0.0.1:1/a.css"><link rel=stylesheet href="file:///etc/passwd"><p style>a';
      expect(await problemsOf({ kind: 'html', body: source })).to.deep.equal([
        'warning body external_styles 2 1',
        'warning body external_styles 2 56',
      ]);
      const { html } = await makeHtml({ kind: 'html', body: source });
      expect(html).to.contain('<p style="color: red;" style>a');
    });

    it('has its problems where its author wrote them', async () => {
      const body =
        '<style>p{color:red}</style><p>a</p>\n<p>b</p><p><form></p><a href="{{ unsubscribe_url }}">x</a>{{ store.postal_address }}';
      const contents = { de: { subject: 'Hi', preheader: '', body, text: null } };
      const { problems } = await compileTemplate({ kind: 'html', class: 'marketing', locale: 'de', contents });
      expect(problems.map(({ code, line, column }) => [code, line, column])).to.deep.equal([['unsafe_element', 2, 12]]);
    });

    it('is refused where it is nested too deeply, or its Liquid is wrong', async () => {
      expect(await problemsOf({ kind: 'html', body: '<div>'.repeat(1000) })).to.deep.equal([
        'error body nested_too_deeply  ',
      ]);
      expect(await problemsOf({ kind: 'html', body: '\n{{ x }}' })).to.deep.equal(['error body unknown_path 2 4']);
    });
  });

  it('can be made of a template that was converted', async () => {
    const { source, problems } =
      convertKlaviyo(`<html><body>{% if not person.vip and first_name %}Hi {{ first_name|default:'you' }}{% endif %}
      {% for item in event.extra.items|slice:':3' %}{{ forloop.counter }} {{ item.price|floatformat:2 }}{% if item.a|length > 2 or 'x' in item.b and item.c %}!{% endif %}{% endfor %}
      {{ event.at|date:'F j, Y' }} {% current_year %} {{ organization.full_address }} {% unsubscribe %}</body></html>`);
    expect(problems).to.deep.equal([]);
    expect(compiled(await htmlOf({ kind: 'html', body: source })).problems).to.deep.equal([]);
  });
});
