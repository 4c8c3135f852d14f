import { expect } from 'chai';
import type { TemplateBlocksInput } from '../../generated/native/types.gen.ts';
import type { Block, TemplateBlocks } from '../../src/domain/templates/core/blocks/blocks.ts';
import { blocksToMjml } from '../../src/domain/templates/core/blocks/blocks-to-mjml.ts';

/** The contract and the domain have one shape. */
const ofContract = (blocks: TemplateBlocksInput): TemplateBlocks => blocks;

function written(...blocks: Block[]) {
  const { mjml, problems } = blocksToMjml({ blocks }, { lang: 'en' });
  return {
    body: mjml.slice(mjml.indexOf('<mj-body')),
    problems: problems.map(({ path, code }) => `${path.join('.')} ${code}`),
  };
}

const bodyOf = (...blocks: Block[]): string => {
  const { body, problems } = written(...blocks);
  expect(problems).to.deep.equal([]);
  return body;
};

const HOSTILE = `"><script>alert(1)</script></mj-text></mj-button>]]><!-- '\\`;

describe('Blocks of a template', () => {
  it('become MJML in the order in which they stand, with their style', () => {
    const blocks = ofContract({
      style: { width: 480, font: 'georgia', background_color: '#101010', dark: { link_color: '#aabbcc' } },
      blocks: [
        { type: 'heading', text: 'Hello', level: 1 },
        { type: 'divider', thickness: 2, color: '#ff0000' },
        { type: 'spacer', height: 24 },
      ],
    });
    const { mjml, problems } = blocksToMjml(blocks, { lang: 'de-AT' });
    expect(problems).to.deep.equal([]);
    expect(mjml).to.match(/^<mjml lang="de-AT">/);
    expect(mjml).to.contain('<mj-body width="480px" background-color="#101010"');
    expect(mjml).to.contain('font-family="Georgia, Times, serif"');
    expect(mjml).to.contain('.words a { color: #aabbcc !important; }');
    expect(
      mjml.match(/<(?:h1|mj-divider|mj-spacer)[^>]*>/g)?.map((tag) => tag.replace(/ style="[^"]*"/, '')),
    ).to.deep.equal([
      '<h1>',
      '<mj-divider border-width="2px" border-color="#ff0000" />',
      '<mj-spacer height="24px" />',
    ]);
  });

  it('keep their Liquid as it is', () => {
    const liquid = `{{ profile.attributes["a > b"] | default: "<you> & '}}'" }}`;
    const body = bodyOf(
      { type: 'heading', text: `Hi ${liquid} & all` },
      { type: 'text', text: `**${liquid}** {% if event %}*yes*{% endif %}` },
      { type: 'button', text: liquid, url: '{{ event.properties.url }}?a=1&b=2' },
      { type: 'image', url: 'https://cdn.example/{{ event.properties.image }}', alt: liquid },
    );
    expect(body.split(liquid)).to.have.length(5);
    expect(body).to.contain('&amp; all</h2>');
    expect(body).to.contain('{% if event %}<em>yes</em>{% endif %}');
    expect(body).to.contain('href="{{ event.properties.url }}?a=1&amp;b=2"');
  });

  it('can not leave their element or attribute', () => {
    const body = bodyOf(
      { type: 'heading', text: HOSTILE },
      { type: 'text', text: `${HOSTILE} [${HOSTILE}](https://a.example/"><b>)` },
      { type: 'button', text: HOSTILE, url: `https://a.example/${HOSTILE}` },
      { type: 'image', url: 'https://a.example/a.png', alt: HOSTILE, link: `mailto:${HOSTILE}` },
      { type: 'social', links: [{ name: HOSTILE, url: `https://a.example/${HOSTILE}` }] },
      { type: 'product', item: 'data.product', button: HOSTILE },
      { type: 'footer', text: HOSTILE, unsubscribe: HOSTILE, preferences: HOSTILE, view: HOSTILE },
    );
    expect(body).not.to.match(/<script|<!--|]]>/);
    const named = [...body.replace('</mjml>', '').matchAll(/<\/?([a-z][a-z0-9-]*)/g)].map(([, name]) => name as string);
    expect([...new Set(named)].filter((name) => !name.startsWith('mj-'))).to.have.members(['h2', 'p', 'a', 'br']);
    expect(body.match(/<mj-text/g)).to.have.length((body.match(/<\/mj-text>/g) ?? []).length);
  });

  describe('text', () => {
    const html = (text: string) =>
      (/<mj-text[^>]*>(.*)<\/mj-text>/s.exec(bodyOf({ type: 'text', text }))?.[1] ?? '').replaceAll(
        / style="[^"]*"/g,
        '',
      );

    const pairs: [string, string][] = [
      ['one\ntwo\n\nthree', '<p>one<br />two</p><p>three</p>'],
      ['**bold** and *italic*', '<p><strong>bold</strong> and <em>italic</em></p>'],
      ['***both***', '<p><strong><em>both</em></strong></p>'],
      ['***two* one**', '<p><strong><em>two</em> one</strong></p>'],
      ['**a *b** c*', '<p><strong>a *b</strong> c*</p>'],
      ['2 * 3 * 4 ** 5', '<p>2 * 3 * 4 ** 5</p>'],
      ['\\*as it is\\* \\[x](y)', '<p>*as it is* [x](y)</p>'],
      [
        '[a **b**](https://a.example/?x=1&y=2)',
        '<p><a href="https://a.example/?x=1&amp;y=2">a <strong>b</strong></a></p>',
      ],
      ['[a [b](https://b.example)', '<p><a href="https://b.example">a [b</a></p>'],
      [
        '- one\n- *two*\n\n1. first\n2. second',
        '<ul><li>one</li><li><em>two</em></li></ul><ol><li>first</li><li>second</li></ol>',
      ],
      ['Colours:\n- red\nand more', '<p>Colours:</p><ul><li>red</li></ul><p>and more</p>'],
      ['<b>text</b> &amp;', '<p>&lt;b&gt;text&lt;/b&gt; &amp;amp;</p>'],
      ['', ''],
    ];
    for (const [source, expected] of pairs) {
      it(`makes ${JSON.stringify(source)} ${expected || 'nothing'}`, () => {
        expect(html(source)).to.equal(expected);
      });
    }

    it('repeats the items of a list around which a loop stands', () => {
      expect(html('{% for x in event.properties.items %}\n- {{ x }}\n{% endfor %}')).to.equal(
        '<p>{% for x in event.properties.items %}</p><ul><li>{{ x }}</li></ul><p>{% endfor %}</p>',
      );
    });
  });

  it('stand side by side in columns that share what is left of the width', () => {
    const body = bodyOf({
      type: 'columns',
      columns: [
        { width: 50, blocks: [{ type: 'text', text: 'A' }] },
        { blocks: [] },
        { blocks: [{ type: 'text', text: 'C' }] },
      ],
    });
    expect([...body.matchAll(/<mj-column width="([^"]+)"/g)].map(([, width]) => width)).to.deep.equal([
      '50%',
      '25%',
      '25%',
    ]);
    expect(body.match(/<mj-section/g)).to.have.length(1);
  });

  it('are repeated for each of a list, between sections as well', () => {
    const within = bodyOf({ type: 'repeat', over: 'event.properties.items', limit: 3, blocks: [{ type: 'product' }] });
    expect(within).to.match(/<mj-column>\n<mj-raw>{% for item in event\.properties\.items limit: 3 %}<\/mj-raw>/);
    const around = bodyOf({
      type: 'repeat',
      over: 'data.rows',
      as: 'row',
      blocks: [{ type: 'columns', columns: [{ blocks: [{ type: 'product', item: 'row' }] }, { blocks: [] }] }],
    });
    expect(around).to.match(/<mj-body[^>]*>\n<mj-raw>{% for row in data\.rows limit: 10 %}<\/mj-raw>\n<mj-section/);
  });

  it('show of a product what it has, under its own names', () => {
    const body = bodyOf({
      type: 'product',
      item: 'data.p',
      title: 'name',
      price: 'cost',
      currency: 'EUR',
      button: 'Buy',
    });
    expect(body).to.contain('{% if data.p.image_url %}');
    expect(body).to.contain('{{ data.p.name | default: "" }}');
    expect(body).to.contain('{% if data.p.cost %}<br />{{ data.p.cost | money: "EUR" }}{% endif %}');
    expect(body).to.contain('<mj-button href="{{ data.p.url }}"');
  });

  it('end with what the law asks for', () => {
    const body = bodyOf({ type: 'footer', text: 'You *asked*.', unsubscribe: 'Abmelden' });
    expect(body).to.contain('<em>asked</em>');
    for (const part of [
      '{{ store.postal_address }}',
      'href="{{ unsubscribe_url }}"',
      'href="{{ preferences_url }}"',
      '>Abmelden<',
    ]) {
      expect(body).to.contain(part);
    }
    expect(body).not.to.contain('view_url');
  });

  it('may be HTML as it is, but no part of MJML', () => {
    const html = '<table><tr><td>{{ event.properties.x }}</td></tr></table>';
    expect(bodyOf({ type: 'html', html })).to.contain(`<mj-text padding="0">${html}</mj-text>`);
    for (const bad of ['</mj-text>', '< mj-raw>', '</MJ-BODY>', ']]>', '<![CDATA[']) {
      expect(written({ type: 'html', html: bad }).problems).to.deep.equal(['blocks.0.html mjml_in_html']);
    }
  });

  it('have Liquid that is whole in each text, and reads what there is', () => {
    const { problems } = blocksToMjml(
      {
        blocks: [
          { type: 'text', text: 'a\n{% if event %}' },
          { type: 'heading', text: '{{ first_name }}' },
          { type: 'text', text: '{% assign total = event.properties.a | plus: 1 %}' },
          { type: 'button', text: '{{ total }}', url: 'https://a.example/{{ totals }}' },
          {
            type: 'repeat',
            over: 'data.list',
            as: 'one',
            blocks: [{ type: 'text', text: '{{ one }} {{ forloop.index }}' }],
          },
          { type: 'product', item: 'one' },
          { type: 'image', url: '\ue000', alt: '' },
        ],
      },
      { lang: 'en' },
    );
    expect(problems.map(({ path, code, line, column }) => [path.join('.'), code, line, column])).to.deep.equal([
      ['blocks.0.text', 'not_closed', 2, 1],
      ['blocks.1.text', 'unknown_path', 1, 4],
      ['blocks.3.url', 'unknown_path', 1, 22],
      ['blocks.5.item', 'unknown_path', null, null],
      ['blocks.6.url', 'private_use_characters', 1, 1],
    ]);
  });

  it('are refused by their place if they make no sense', () => {
    const columns = { type: 'columns' as const, columns: [{ blocks: [] }, { blocks: [] }] };
    const repeat: Block = { type: 'repeat', over: 'data.list', blocks: [{ type: 'spacer', height: 4 }] };
    const problemsOf = (...blocks: Block[]) => written(...blocks).problems;
    expect(problemsOf()).to.deep.equal(['blocks missing_blocks']);
    expect(problemsOf({ type: 'button', text: ' ', url: '' })).to.deep.equal([
      'blocks.0.text missing_text',
      'blocks.0.url invalid_url',
    ]);
    for (const url of [
      'javascript:alert(1)',
      '//a.example',
      'a.example',
      'https:///',
      ' https://a.example',
      'data:text/html,x',
    ]) {
      expect(problemsOf({ type: 'image', url, alt: '' })).to.deep.equal(['blocks.0.url invalid_url']);
    }
    expect(problemsOf({ type: 'text', text: '[a](javascript:x)' })).to.deep.equal(['blocks.0.text invalid_url']);
    expect(problemsOf({ type: 'columns', columns: [{ blocks: [columns] }, { blocks: [] }] })).to.deep.equal([
      'blocks.0.columns.0.blocks.0 invalid_nesting',
    ]);
    expect(problemsOf({ ...repeat, blocks: [repeat] })).to.deep.equal(['blocks.0.blocks.0 invalid_nesting']);
    expect(
      problemsOf({
        ...columns,
        columns: [
          { width: 50, blocks: [] },
          { width: 40, blocks: [] },
        ],
      }),
    ).to.deep.equal(['blocks.0.columns invalid_widths']);
    expect(problemsOf({ ...repeat, as: 'profile' })).to.deep.equal(['blocks.0.as reserved_name']);
    expect(problemsOf({ ...repeat, over: '' }, { type: 'product', item: '' })).to.deep.equal([
      'blocks.0.over missing_path',
      'blocks.1.item missing_path',
    ]);
    const many = Array.from({ length: 20 }, (): Block => ({ type: 'spacer', height: 4 }));
    const wide: Block = {
      type: 'columns',
      columns: [{ blocks: many }, { blocks: many }, { blocks: many }, { blocks: many }],
    };
    expect(problemsOf(wide, wide, wide, wide)).to.deep.equal(['blocks too_many_blocks']);
  });
});
