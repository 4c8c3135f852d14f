import { expect } from 'chai';
import { compileContent } from '../../src/domain/templates/core/compile-content.ts';
import { compileEmail, contentOf, errorsOf, problemsOf } from './support/compiling.ts';

describe('Compiling a template', () => {
  it('names each mistake, with its field, line and column', () => {
    const html = 'Hello\n  {{ profile.first_name }} {% frobnicate %}\n{{ event.properties.x | wobble }}';
    const [first, ...others] = problemsOf({ html });
    expect(first).to.deep.equal({
      severity: 'error',
      code: 'unknown_path',
      message: 'There is no profile.first_name; use profile.attributes.first_name',
      field: 'body',
      line: 2,
      column: 6,
    });
    expect(others.map(({ code, line, column }) => [code, line, column])).to.deep.equal([
      ['unknown_tag', 2, 28],
      ['unknown_filter', 3, 25],
    ]);
  });

  it('names a mistake in each of the texts', () => {
    const wrong = '{{ nobody }}';
    const problems = problemsOf({ subject: wrong, preheader: wrong, html: wrong, text: wrong });
    expect(problems.map(({ field }) => field)).to.deep.equal(['subject', 'preheader', 'body', 'text']);
  });

  const MISTAKES: Record<string, string> = {
    '{{ profile.id': 'syntax_error',
    '{{ }}': 'syntax_error',
    '{{ profile.id | }}': 'syntax_error',
    '{{ profile.id profile.id }}': 'syntax_error',
    '{{ profile.id, }}': 'syntax_error',
    '{{ profile.id | append: "x" ) }}': 'syntax_error',
    '{{ profile["id }}': 'syntax_error',
    '{{ data[] }}': 'syntax_error',
    '{{ "x".size }}': 'syntax_error',
    '{{ nil.constructor }}': 'syntax_error',
    '{{ (1..3) | join }}': 'syntax_error',
    '{% if profile.id == "x %}{% endif %}': 'syntax_error',
    '{% if %}{% endif %}': 'syntax_error',
    '{% if profile.id == %}{% endif %}': 'syntax_error',
    '{% else x %}': 'unexpected_tag',
    '{% if profile.id %}{% else x %}{% endif %}': 'syntax_error',
    '{% if profile.id %}{% else %}{% elsif now %}{% endif %}': 'unexpected_tag',
    '{% if profile.id %}': 'not_closed',
    '{% if profile.id %}{% endfor %}': 'unexpected_tag',
    '{% endif %}': 'unexpected_tag',
    '{% comment %}': 'not_closed',
    '{% raw %}': 'syntax_error',
    '{% capture %}{% endcapture %}': 'syntax_error',
    '{% assign x %}': 'syntax_error',
    '{% assign profile = 1 %}': 'name_taken',
    '{% for now in data.x %}{% endfor %}': 'name_taken',
    '{% for x data.x %}{% endfor %}': 'syntax_error',
    '{% for x in data.x cols: 2 %}{% endfor %}': 'syntax_error',
    '{% for x in (1..1000000000) %}{% endfor %}': 'too_many_rounds',
    '{% case now %}{% when 1 and 2 %}{% endcase %}': 'syntax_error',
    '{% break %}': 'unexpected_tag',
    '{{ event.type }}': 'unknown_path',
    '{{ stores.name }}': 'unknown_path',
    '{{ forloop.index }}': 'unknown_path',
    '{{ constructor }}': 'unknown_path',
    '{{ __proto__.x }}': 'unknown_path',
    '{{ profile.__proto__ }}': 'unknown_path',
    '{{ data.x | _html }}': 'unknown_filter',
    '{{ data.x | json }}': 'unknown_filter',
    '{{ data.x | where_exp: "x", "x" }}': 'unknown_filter',
    '{{ data.x | raw | upcase }}': 'raw_not_here',
    '{% assign x = data.x | raw %}': 'raw_not_here',
    '{% _url 1 %}{% end_url %}': 'unknown_tag',
    'a \uE001 b': 'private_use_characters',
  };
  for (const tag of 'include render layout block tablerow cycle increment decrement liquid echo #'.split(' ')) {
    MISTAKES[`{% ${tag} 'x' %}`] = 'unknown_tag';
  }
  it('refuses what is no Liquid of ours', () => {
    expect(Object.fromEntries(Object.keys(MISTAKES).map((html) => [html, errorsOf(html)[0]]))).to.deep.equal(MISTAKES);
  });

  it('counts tags and their nesting before anything is parsed', () => {
    const nested = (depth: number) => '{% if now %}'.repeat(depth) + '{% endif %}'.repeat(depth);
    expect(errorsOf(nested(30))).to.deep.equal([]);
    expect(errorsOf(nested(31))).to.deep.equal(['nested_too_deeply']);
    expect(errorsOf('{% if now %}'.repeat(5_000))).to.deep.equal(['too_many_tags']);
    expect(errorsOf('{{ now }}'.repeat(2_000))).to.deep.equal([]);
    expect(errorsOf('{{ now }}'.repeat(2_001))).to.deep.equal(['too_many_tags']);
    expect(errorsOf('x'.repeat(204_801))).to.deep.equal(['too_large']);
    expect(errorsOf(`{{ data${'[data'.repeat(500)}${']'.repeat(500)} }}`)).to.include('syntax_error');
    expect(errorsOf(`{{ "${'x'.repeat(4_000)}" }}`)).to.deep.equal(['too_large']);
    expect(errorsOf('<b>'.repeat(60_000))).to.deep.equal(['nested_too_deeply']);
    expect(errorsOf('<a href="https://a.example/">x</a>'.repeat(1_001))).to.deep.equal(['too_many_links']);
  });

  it('says what is read, and whether something stands for it where it is missing', () => {
    const { paths } = contentOf({
      subject: '{{ profile.attributes.first_name | default: "you" }}',
      html: `{{ profile.attributes["first name"] }} {% if event.properties.size > 3 %}{{ event.properties.size }}{% endif %}
        {% for item in event.properties.items %}{{ item.title }}{% endfor %}{{ data[data.which] }}{{ now }}`,
      text: '{{ now | default: "" }}',
    });
    expect(paths.map(({ path, hasDefault }) => `${path.join('/')} ${hasDefault}`)).to.deep.equal([
      'profile/attributes/first_name true',
      'profile/attributes/first name false',
      'event/properties/size true',
      'event/properties/items false',
      'data false',
      'data/which false',
      'now false',
    ]);
  });

  it('numbers links in the order of the source, and tracks all but those of customers for themselves', () => {
    const { links } = contentOf({
      html: `<a href="https://a.example/?x=1&amp;y=2">a</a><a href='{{ data.url }}'>b</a><a href=https://c.example/>c</a>
        <a href="mailto:a@example.com">m</a><a href="#top">t</a><img src="https://i.example/" alt="">
        <a data-track="off" href="https://d.example/">d</a><a href="{{ unsubscribe_url }}">u</a>
        <a href="{{ view_url }}?x">v</a><area href="{% if now %}https://e.example/{% else %}https://f.example/{% endif %}">`,
    });
    expect(links.map(({ number, url, tracked }) => [number, url, tracked])).to.deep.equal([
      [1, 'https://a.example/?x=1&y=2', true],
      [2, '{{ data.url }}', true],
      [3, 'https://c.example/', true],
      [4, 'https://d.example/', false],
      [5, '{{ unsubscribe_url }}', false],
      [6, '{{ view_url }}?x', false],
      [7, '{% if now %}https://e.example/{% else %}https://f.example/{% endif %}', true],
    ]);
  });

  it('asks for a link to unsubscribe in marketing, and a subject', () => {
    const codes = (html: string, kind: 'marketing' | 'transactional') =>
      compileEmail({ html: `${html}{{ store.postal_address }}` }, kind).problems.map(({ code }) => code);
    expect(codes('Hello', 'transactional')).to.deep.equal([]);
    for (const html of [
      '<a href="{{ unsubscribe_url }}">x</a>',
      '<a href="{{ unsubscribe_url }}?from=x">x</a>',
      '<map><area href="{{ data.url | default: unsubscribe_url }}"></map>',
    ]) {
      expect(codes(html, 'marketing'), html).to.deep.equal([]);
    }
    for (const html of [
      'Hello',
      '{% if unsubscribe_url %}Hello{% endif %}',
      '{% comment %}<a href="{{ unsubscribe_url }}">x</a>{% endcomment %}',
      '{% assign url = unsubscribe_url %}Hello',
      '{{ unsubscribe_url }}',
      '<a href="https://a.example/{% if unsubscribe_url %}a{% endif %}">x</a>',
      '<p title="{{ unsubscribe_url }}">x</p>',
      '<img alt="" src="{{ unsubscribe_url }}">',
    ]) {
      expect(codes(html, 'marketing'), html).to.deep.equal(['missing_unsubscribe_link']);
    }
    expect(problemsOf({ subject: ' ' }).map(({ code }) => code)).to.deep.equal(['missing_subject']);
  });

  it('warns of marketing that does not say where the store is', () => {
    const codes = (html: string, kind: 'marketing' | 'transactional') =>
      compileEmail({ html: `<a href="{{ unsubscribe_url }}">x</a>${html}` }, kind).problems.map(
        ({ severity, code }) => `${severity} ${code}`,
      );
    const missing = ['warning missing_postal_address'];
    expect(codes('', 'marketing')).to.deep.equal(missing);
    expect(codes('{% if store.postal_address %}a{% endif %}{{ store.name }}', 'marketing')).to.deep.equal(missing);
    expect(codes('{{ store.postal_address }}', 'marketing')).to.deep.equal([]);
    expect(codes('{% assign where = store.postal_address %}{{ where }}', 'marketing')).to.deep.equal([]);
    expect(codes('', 'transactional')).to.deep.equal([]);
  });

  it('warns of what mail programs do not show', () => {
    const html = `<img src="http://i.example/a.png"><p>${'x'.repeat(105_000)}`;
    const problems = problemsOf({ html });
    expect(problems.map(({ severity, code }) => `${severity} ${code}`)).to.deep.equal([
      'warning insecure_image',
      'warning missing_alt',
      'warning clipped',
    ]);
  });

  it('says no lines of HTML that was made of something else', () => {
    const { problems } = compileContent(
      { channel: 'email', subject: 'x', preheader: '', html: '\n<script>', text: null },
      { class: 'transactional', fields: { subject: 's', preheader: 'p', html: 'body', text: 't' }, isHtmlMade: true },
    );
    expect(problems).to.have.length(1);
    expect(problems[0]).to.include({ code: 'unsafe_element', line: null, column: null });
  });

  it('makes text messages of their text alone', () => {
    const { content } = compileContent(
      { channel: 'sms', subject: '', preheader: '', html: '', text: 'Hi {{ store.name }}' },
      { class: 'marketing', fields: { subject: 's', preheader: 'p', html: 'h', text: 'body' } },
    );
    expect(content).to.deep.include({ channel: 'sms', html: '', text: 'Hi {{ store.name | _text }}', links: [] });
  });

  it('reports fifty mistakes of a text at most', () => {
    expect(problemsOf({ html: '{{ nobody }}\n'.repeat(500) })).to.have.length(50);
  });
});
