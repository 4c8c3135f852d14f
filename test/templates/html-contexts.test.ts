import { expect } from 'chai';
import { errorsOf, htmlOf, printed, rendered } from './support/compiling.ts';

/** Values with which somebody wants to become more than a text. */
const PAYLOADS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  "' onmouseover='alert(1)",
  '" onmouseover="alert(1)',
  '--><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '{{ profile.id }}{% assign x = 1 %}',
  '&lt;script&gt;',
  'javascript:alert(1)',
];

describe('What stands where a template prints a value', () => {
  it('is text between elements, in titles and in attributes with quotation marks', () => {
    for (const payload of PAYLOADS) {
      const html = htmlOf(
        '<title>{{ data.x }}</title><p>{{ data.x }}</p><p title="{{ data.x }}">a</p><p title=\'{{ data.x }}\'>b</p>',
        { x: payload },
      );
      const withoutValue = html.replaceAll(htmlOf('{{ data.x }}', { x: payload }), '');
      expect(withoutValue).to.equal('<title></title><p></p><p title="">a</p><p title=\'\'>b</p>');
    }
  });

  it('is a URL of the web, an address or nothing in attributes with URLs', () => {
    const link = (url: string) => /href="([^"]*)"/.exec(htmlOf('<a href="{{ data.x }}">x</a>', { x: url }))?.[1];
    expect(link('https://a.example/?x=1&y="2"')).to.equal('https://a.example/?x=1&amp;y=%222%22');
    expect(link('mailto:a@example.com')).to.equal('mailto:a@example.com');
    expect(link('tel:+491')).to.equal('tel:+491');
    expect(link('#top')).to.equal('#top');
    for (const url of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' \u0001javascript:alert(1)',
      'java\nscript:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,<script>',
      'vbscript:x',
      'file:///etc/passwd',
      '//evil.example/',
      '/relative',
      '',
    ]) {
      expect(link(url), url).to.equal('#');
    }
    expect(htmlOf('<img alt="" src="{{ data.x }}">', { x: 'javascript:alert(1)' })).to.equal('<img alt="" src="">');
    expect(htmlOf('<td background="{{ data.x }}">', { x: 'https://a.example/' })).to.contain('https://a.example/');
  });

  it('is checked as a whole where it is a part of a URL only', () => {
    expect(htmlOf('<a href="java{{ data.x }}">x</a>', { x: 'script:alert(1)' })).to.equal('<a href="#">x</a>');
    expect(htmlOf('<a href="{{ data.x }}{{ data.y }}">x</a>', { x: 'javascript', y: ':alert(1)' })).to.equal(
      '<a href="#">x</a>',
    );
    expect(htmlOf('<a href="https://a.example/?q={{ data.x | url_encode }}&amp;y=1">x</a>', { x: 'a b' })).to.equal(
      '<a href="https://a.example/?q=a%20b&amp;y=1">x</a>',
    );
  });

  it('is no more than a colour or a length in a style', () => {
    const style = (x: string) => /style="([^"]*)"/.exec(htmlOf('<p style="color: {{ data.x }}">', { x }))?.[1];
    expect(style('#ff0000')).to.equal('color: #ff0000');
    expect(style('rgb(1, 2, 3)')).to.equal('color: rgb(1, 2, 3)');
    expect(style('red; background: url(https://evil.example)')).to.equal('color: ');
    expect(style('red}</style><script>')).to.equal('color: redstylescript');
    expect(style('expression(alert(1))')).to.equal('color: ');
  });

  it('formats text, and does nothing else, where it is raw', () => {
    const raw = (x: string) => htmlOf('<div>{{ data.x | raw }}</div>', { x }).slice(5, -6);
    expect(raw('<b>bold</b> & <i class="x">fine</i>')).to.equal('<b>bold</b> &amp; <i>fine</i>');
    expect(raw('<a href="https://a.example/?x=1&y" onclick="x()">a</a>')).to.equal(
      '<a href="https://a.example/?x=1&amp;y">a</a>',
    );
    expect(raw('<a href="javascript:x()">a</a>')).to.equal('<a>a</a>');
    expect(raw('<script>alert(1)</script><style>p{}</style><svg onload=x()>t</svg>x')).to.equal('x');
    expect(raw('<b><p>open')).to.equal('<b><p>open</p></b>');
    expect(raw('</div></td>out')).to.equal('out');
    expect(raw('<img src=x onerror=alert(1)><iframe srcdoc="x">')).to.equal('');
  });

  it('can not be where it would be more than that', () => {
    const NOT_HERE = ['liquid_not_here'];
    for (const html of [
      '<style>p { color: {{ data.x }} }</style>',
      '<!-- {{ data.x }} -->',
      '<!--[if mso]>{{ data.x }}<![endif]-->',
      '<p title={{ data.x }}>',
      '<p {{ data.x }}>',
      '<p {{ data.x }}="a">',
      '<p{{ data.x }}>',
      '<{{ data.x }}>',
      '</{{ data.x }}>',
      '</p {{ data.x }}>',
      '<!{{ data.x }}>',
      '<?{{ data.x }}>',
      '< {{- data.x }}>',
      '<p title="{{ data.x }}',
      '<img alt="" srcset="{{ data.x }}">',
      '<meta content="{{ data.x }}">',
      '<link rel="stylesheet" href="{{ data.x }}">',
      '<![CDATA[{{ data.x }}]]>',
    ]) {
      expect(errorsOf(html).slice(0, 1), html).to.deep.equal(NOT_HERE);
    }
    expect(errorsOf('<p onclick="{{ data.x }}">')).to.include('unsafe_attribute');
    expect(errorsOf('<script>{{ data.x }}</script>')).to.include('unsafe_element');
    expect(errorsOf('<p title="{{ data.x | raw }}">')).to.deep.equal(['raw_not_here']);
  });

  it('can not change what the HTML around it is', () => {
    for (const html of [
      '<{% if now %}p{% endif %}>',
      '<{% assign x = 1 %}script>alert(1)<{% assign x = 1 %}/script>',
      '< {%- assign x = 1 -%} script>',
      '<p {% if now %}title="a"{% endif %}>',
      '<p title="{% if now %}">{% endif %}',
      '{% if now %}<p title="{% endif %}">',
      '{% if now %}<title>{% endif %}</title>',
      '{% if now %}<!-- {% endif %} -->',
      '{% if now %}<style>{% endif %}</style>',
      '{% for x in data.x %}<p title="{% break %}">{% endfor %}',
      '{% if now %}<p title="a">{% else %}<p title="{% endif %}">',
    ]) {
      expect(errorsOf(html)[0], html).to.be.oneOf(['liquid_not_here', 'liquid_across_html']);
    }
    expect(errorsOf('<p class="{% if now %}a{% else %}b{% endif %}">{% if now %}<b>{% endif %}x')).to.deep.equal([]);
  });

  it('is refused with elements and attributes that do not belong into messages', () => {
    for (const element of 'script base form iframe object embed svg math noscript template textarea'.split(' ')) {
      expect(errorsOf(`<${element}>`), element).to.include('unsafe_element');
    }
    expect(errorsOf('<meta http-equiv="Refresh" content="0;url=https://a.example">')).to.deep.equal(['unsafe_element']);
    expect(errorsOf('<p ONCLICK="x()">')).to.deep.equal(['unsafe_attribute']);
    expect(errorsOf('<a href="javascript:x()">')).to.deep.equal(['unsafe_url']);
    expect(errorsOf('<a href="&#106;avascript:x()">')).to.deep.equal(['unsafe_url']);
    expect(errorsOf('<a href="javascript:{{ data.x }}">')).to.deep.equal(['unsafe_url']);
    expect(errorsOf('<a href="{{ data.x }}://a.example/">')).to.deep.equal(['unsafe_url']);
    expect(errorsOf('<img alt="" src="data:image/png;base64,xyz">')).to.deep.equal([]);
    expect(errorsOf('<img alt="" src="data:text/html,x">')).to.deep.equal(['unsafe_url']);
  });

  it('is refused where a browser would read what the source hides', () => {
    for (const url of [
      'java&#10;script:x()',
      'java&NewLine;script:x()',
      'java&Tab;script:x()',
      'java\tscript:x()',
      'java\nscript:x()',
      '\u0001javascript:x()',
      '&#1;&#32;javascript:x()',
      '&#x6A;ava&#x73;cript&colon;x()',
      'java\nscript:{{ data.x }}',
      'vb\r\nscript:x()',
      'data&colon;text/html,x',
    ]) {
      expect(errorsOf(`<a href="${url}">a</a>`), url).to.deep.equal(['unsafe_url']);
      expect(errorsOf(`<td background='${url}'>`), url).to.deep.equal(['unsafe_url']);
    }
    expect(errorsOf('<img alt="" src="data:text/html&Tab;,x">')).to.deep.equal(['unsafe_url']);
    expect(errorsOf('<meta http-equiv="&#114;efresh" content="0">')).to.deep.equal(['unsafe_element']);
    expect(htmlOf('<a href="&#104;ttps://a.exa\nmple/">a</a>')).to.equal('<a href="https://a.example/">a</a>');
  });

  it('has no text part where it is hidden, however that is written', () => {
    for (const style of [
      'display:none',
      'DISPLAY : none',
      'display&colon;none',
      '&#100;isplay:none',
      'display:/* */none',
    ]) {
      const { text } = rendered({ html: `<p style="${style}">hidden</p><p>shown</p>` });
      expect(text.trim(), style).to.equal('shown');
    }
  });

  it('is a line of its own in subjects', () => {
    const { subject } = rendered(
      { subject: 'Hi {{ data.x }}' },
      { data: { x: 'a\r\nBcc: b@example.com\u0000\u2028c' } },
    );
    expect(subject).to.equal('Hi a Bcc: b@example.com c');
    expect([...rendered({ subject: '{{ data.x }}' }, { data: { x: 'x'.repeat(999) } }).subject]).to.have.length(250);
  });

  it('is a text of a list or an object, too', () => {
    expect(printed('data.x', { x: [1, [2, 'a'], null] })).to.equal('12a');
    expect(printed('data.x', { x: { toString: 1, a: 'b' } })).to.equal('{"toString":1,"a":"b"}');
  });

  it('is escaped once where it was captured', () => {
    const html = '{% capture x %}<b>{{ data.x }}{% endcapture %}<p title="{{ x }}">{{ x }}';
    expect(htmlOf(html, { x: '"&' })).to.equal('<p title="&lt;b&gt;&quot;&amp;">&lt;b&gt;&quot;&amp;');
  });

  it('is left as it is between raw and endraw', () => {
    const html =
      '<p title="{% raw %}{{ x }}{% endraw %}">{% raw %}{{ x }}{% y %}{{% endraw %}{{ now }}{%- comment -%} <p {{ x }} {%- endcomment -%} ';
    expect(htmlOf(html)).to.equal('<p title="{{ x }}">{{ x }}{% y %}{2026-11-27T08:05:09Z');
  });
});
