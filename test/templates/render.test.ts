import { expect } from 'chai';
import { ParsedTexts } from '../../src/domain/templates/core/liquid/parsed.ts';
import { chooseLocale, renderContent } from '../../src/domain/templates/core/render-content.ts';
import { contentOf, DATA, failureOf, htmlOf, printed, render, rendered } from './support/compiling.ts';

describe('Rendering a template', () => {
  it('fills in the values of a customer', () => {
    const message = rendered(
      {
        subject: 'Hi {{ profile.attributes.first_name }}',
        preheader: '{{ store.name }} has news',
        html: '<html><body class="a"><p>Hi {{ profile.attributes.first_name }}</p></body></html>',
      },
      {},
    );
    expect(message).to.deep.equal({
      locale: 'en',
      subject: 'Hi Ada',
      preheader: 'Tea & Co has news',
      html: '<html><body class="a"><div style="display:none;max-height:0;overflow:hidden">Tea &amp; Co has news</div><p>Hi Ada</p></body></html>',
      text: 'Hi Ada',
      links: [],
      segments: null,
    });
  });

  it('goes through conditions, cases and loops', () => {
    const html = `{% for item in data.items limit: 3 offset: 1 %}{{ forloop.index }}{{ item }}{% if forloop.last %}.{% endif %}{% endfor %}
{% for x in data.none %}x{% else %}none{% endfor %}
{% for i in (1..3) reversed %}{{ i }}{% if i == 2 %}{% break %}{% endif %}{% endfor %}
{% for i in (1..4) %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}
{% for pair in data.object %}{{ pair[0] }}={{ pair[1] }};{% endfor %}
{% case data.n %}{% when 1, 2 %}few{% when 3 or 4 %}some{% else %}many{% endcase %}
{% unless data.n == 3 %}no{% elsif data.n > 2 %}yes{% endunless %}
{% assign a = 'x' | append: "y" %}{% capture b %}{{ a }}z{% endcapture %}{{ b }}
{% if data.items contains 'b' and data.none == blank or false %}ok{% endif %}`;
    const data = { items: ['a', 'b', 'c', 'd', 'e'], object: { k: 1, l: 2 }, n: 3 };
    expect(htmlOf(html, data).split('\n')).to.deep.equal([
      '1b2c3d.',
      'none',
      '32',
      '134',
      'k=1;l=2;',
      'some',
      'yes',
      'xyz',
      'ok',
    ]);
  });

  it('chooses the language of the customer, the same without its region, or that of the template', () => {
    const contents = { en: contentOf({}), de: contentOf({}), 'pt-BR': contentOf({}) };
    const choose = (wanted: string | undefined) =>
      chooseLocale({ format: 1, reads: [], locale: 'en', contents }, wanted);
    expect(['pt-BR', 'PT_br', 'de-AT', 'de', 'fr', 'pt', '', undefined].map(choose)).to.deep.equal([
      ...['pt-BR', 'pt-BR', 'de', 'de', 'en', 'en', 'en', 'en'],
    ]);
  });

  it('says that a value is missing without which there is no message', () => {
    const required = [
      ['profile', 'attributes', 'first_name'],
      ['profile', 'identifiers', 'phone'],
    ];
    expect(render({}, {}, { required })).to.deep.equal({
      code: 'missing_value',
      message: 'There is no profile.identifiers.phone',
    });
    expect(failureOf({}, {}, { required: [['profile', 'constructor', 'name']] })).to.equal('missing_value');
    expect(failureOf({}, {}, { required: [['profile', 'attributes', 'visits']] })).to.equal('none');
  });

  it('gives each link the URL that it is to have, and leaves what is not tracked', () => {
    const message = rendered(
      {
        html: `<a href="https://a.example/?x=1&amp;y=2">A</a>
          {% for url in data.urls %}<a href="{{ url }}">B</a>{% endfor %}
          <a href="{{ unsubscribe_url }}">C</a><a href="https://d.example/" data-track="off">D</a>`,
      },
      { data: { urls: ['https://b.example/1', 'mailto:b@example.com', 'https://b.example/1'] } },
      { link: (number, url) => `https://t.example/${number}?u="${encodeURIComponent(url)}` },
    );
    expect([...message.html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).to.deep.equal([
      'https://t.example/1?u=&quot;https%3A%2F%2Fa.example%2F%3Fx%3D1%26y%3D2',
      'https://t.example/2?u=&quot;https%3A%2F%2Fb.example%2F1',
      'mailto:b@example.com',
      'https://t.example/2?u=&quot;https%3A%2F%2Fb.example%2F1',
      'https://shop.example/u',
      'https://d.example/',
    ]);
    expect(message.links).to.deep.equal([
      { number: 1, url: 'https://a.example/?x=1&y=2' },
      { number: 2, url: 'https://b.example/1' },
      { number: 2, url: 'mailto:b@example.com' },
      { number: 3, url: 'https://shop.example/u' },
      { number: 4, url: 'https://d.example/' },
    ]);
    expect(message.text).to.contain('A (https://t.example/1?u=');
    expect(message.text).to.contain('C (https://shop.example/u)');
  });

  it('makes the text of HTML, with Liquid where it stood', () => {
    const html = `<head><title>T</title><style>p{}</style></head><body>
      <div style="display: none">{% if data.on %}hidden</div>
      <h1>Hello &amp; {{ data.x }}</h1>{% endif %}
      <p>One<br>two <b>three</b></p><ul><li>a<li>{{ data.x }}</ul>
      <table><tr><td>x</td><td>y</td></tr>{% for i in (1..2) %}<tr><td>{{ i }}</td></tr>{% endfor %}</table>
      <a href="https://a.example/"><img alt="Logo {{ data.x }}" src="https://a.example/i.png"></a>
      {% raw %}{{ x }}{% endraw %} &#123;{ y }} {{ data.html | raw }}`;
    const { text } = rendered({ html }, { data: { on: true, x: '<&>', html: '<b>bold</b>' } });
    expect(text).to.equal(
      'Hello & <&>\n\nOne\ntwo three\n\n- a\n- <&>\n\nx  y\n1\n2\n\nLogo <&> (https://a.example/) {{ x }} {{ y }} bold',
    );
  });

  it('takes the text that was written where there is one', () => {
    const { text } = rendered({ html: '<p>HTML</p>', text: 'Text  <{{ data.x }}>\n\n\nend' }, { data: { x: '&' } });
    expect(text).to.equal('Text  <&>\n\n\nend');
  });

  it('bounds the rounds of loops, what is printed, and the values', () => {
    const failure = (html: string, data: Record<string, unknown> = {}) => failureOf({ html }, { data });
    const many = Array.from({ length: 501 }, (_, i) => i);
    expect(failure('{% for x in data.many %}{% endfor %}', { many })).to.equal('too_large');
    expect(failure('{% for x in data.many limit: 500 %}{% endfor %}', { many })).to.equal('none');
    expect(failure('{% for x in (1..100) %}{% for y in (1..50) %}{% endfor %}{% endfor %}')).to.equal('too_large');
    expect(failure('{% for x in (1..data.n) %}{% endfor %}', { n: 1e9 })).to.equal('too_large');
    expect(failure('{% for x in (data.n..data.m) %}{% endfor %}', { n: 2 ** 53, m: 2 ** 53 + 2 })).to.equal(
      'too_large',
    );
    expect(failure('{% for x in (data.n..data.m) %}{% endfor %}', { n: 'x', m: '3' })).to.equal('none');
    const long = 'x'.repeat(2_000);
    expect(failure('{% for x in (1..500) %}{{ data.long }}{% endfor %}', { long })).to.equal('too_large');
    expect(
      failure('{% capture c %}{% for x in (1..500) %}{{ data.long }}{% endfor %}{% endcapture %}', { long }),
    ).to.equal('too_large');
    expect(failure('{{ data.x }}', { x: 'x'.repeat(70_000) })).to.equal('too_large');
    expect(failure('{{ data.x | raw }}', { x: 'x'.repeat(30_000) })).to.equal('too_large');
    let deep: unknown = [];
    for (let i = 0; i < 100; i += 1) deep = [deep];
    expect(failure('{{ data.deep }}', { deep })).to.equal('too_large');
  });

  it('fails, and nothing else, where values can not be compared', () => {
    const html = '{% if data.x < 1 %}{% endif %}';
    expect(failureOf({ html }, { data: { x: { toString: 1, valueOf: 1 } } })).to.equal('render_failed');
  });

  it('sees nothing but the properties of values', () => {
    for (const path of [
      'constructor',
      '__proto__',
      'toString',
      'hasOwnProperty',

      'constructor.constructor',
    ]) {
      const names = path.split('.').map((name) => `["${name}"]`);
      expect(printed(`data.x${names.join('')}`, { x: { a: 1 } }), path).to.equal('');
      expect(printed(`data.x${names.join('')}`, { x: 'text' }), path).to.equal('');
    }
    expect(
      htmlOf('{% for x in (1..2) %}{{ forloop.constructor }}{{ forloop.next }}{{ forloop.index }}{% endfor %}'),
    ).to.equal('12');
    expect(printed('data.x', { constructor: 1 })).to.equal('');
  });

  it('takes what was compiled by name of its language', () => {
    const contents = { de: contentOf({ text: '{{ 0.5 | number }}' }), en: contentOf({ text: '{{ 0.5 | number }}' }) };
    const text = (locale: string) =>
      (
        renderContent({ format: 1, reads: [], locale: 'en', contents }, DATA, { timeZone: 'UTC', locale }) as {
          text: string;
        }
      ).text;
    expect([text('de-CH'), text('en')]).to.deep.equal(['0,5', '0.5']);
  });

  it('keeps what it parsed lately, by the memory that it takes', () => {
    const texts = ['{{ now | _text }} and a text', '{{ store.name | _text }} and another'];
    const [first, second] = texts as [string, string];
    const roomy = new ParsedTexts();
    const kept = roomy.parse(first);
    roomy.parse(second);
    expect(roomy.parse(first)).to.equal(kept);
    const narrow = new ParsedTexts(2_500);
    const gone = narrow.parse(first);
    expect(narrow.parse(first)).to.equal(gone);
    narrow.parse(second);
    expect(narrow.parse(first)).to.not.equal(gone);
  });
});
