import { expect } from 'chai';
import { errorsOf, failureOf, htmlOf, printed } from './support/compiling.ts';

/** What advisories of liquidjs were about, whether its version here has it or not. */
describe('What templates of others could do with liquidjs', () => {
  it('is not reading files (CVE-2026-30952)', () => {
    for (const tag of ['include', 'render', 'layout']) {
      for (const file of ["'../../../etc/passwd'", "'/etc/passwd'", 'data.file', "'a', with: 1"]) {
        expect(errorsOf(`{% ${tag} ${file} %}`), `${tag} ${file}`).to.deep.equal(['unknown_tag']);
      }
    }
  });

  it('is not a layout whose blocks never end (CVE-2026-41311)', () => {
    expect(errorsOf('{% layout "a" %}{% block b %}{% block b %}{% endblock %}{% endblock %}')[0]).to.equal(
      'unknown_tag',
    );
  });

  it('is not calling functions (CVE-2026-45618)', () => {
    for (const path of [
      'constructor.constructor',
      '["constructor"]["constructor"]',
      'first.constructor',
      '__proto__.constructor',
      'toString.constructor',
      'valueOf',
      '__defineGetter__',
    ]) {
      const whole = path.startsWith('[') ? `data.x${path}` : `data.x.${path}`;
      expect(printed(`${whole} | append: ""`, { x: [{ a: 1 }] }), whole).to.equal('');
    }
    expect(printed('data.x | map: "constructor.constructor" | first | append: ""', { x: [{}] })).to.equal('');
    expect(printed('data.x | sort: "__proto__.constructor" | size', { x: [{}, {}] })).to.equal('2');
  });

  it('is not taking values from prototypes', () => {
    expect(htmlOf('{{ data.x.polluted }}{% if data.x.toString %}yes{% endif %}', { x: {} })).to.equal('');
    const json = JSON.parse('{"__proto__": {"polluted": "no"}}');
    expect(printed('data.x.polluted', { x: json })).to.equal('');
  });

  it('is no more memory than a value may have, by replacing (CVE-2026-33287, CVE-2026-34166)', () => {
    const long = 'x'.repeat(60_000);
    for (const expression of [
      `data.long | replace: "x", data.long`,
      `data.long | replace_first: "x", data.long | append: data.long`,
      `data.long | replace: "", "y" | append: data.long`,
      'data.long | replace_first: "x", "$&$&$&" | append: data.long',
    ]) {
      expect(failureOf({ text: `{{ ${expression} }}` }, { data: { long } }), expression).to.equal('too_large');
    }
  });

  it('is not a width of a date, nor a format as long as one likes (CVE-2026-45357)', () => {
    expect(printed('now | date: "%999999999Y"')).to.have.length.below(50);
    expect(printed('now | date: "%-----999999999N"')).to.have.length.below(50);
    expect(failureOf({ text: `{{ now | date: data.f }}` }, { data: { f: '%A'.repeat(10_000) } })).to.equal('too_large');
  });

  it('is no loop without a body that is not counted (CVE-2026-44645)', () => {
    const loop = (inner: string) => `{% for a in (1..400) %}{% for b in (1..400) %}${inner}{% endfor %}{% endfor %}`;
    expect(failureOf({ html: loop('') })).to.equal('too_large');
    expect(errorsOf('{%- for i in (1..100000000) -%}{%- endfor -%}')).to.deep.equal(['too_many_rounds']);
    expect(errorsOf('{% tablerow i in (1..10) %}{% endtablerow %}')[0]).to.equal('unknown_tag');
  });

  it('is no list that doubles (CVE-2026-55575)', () => {
    const doubling = `{% assign x = "a,b,c,d" | split: "," %}${'{% assign x = x | concat: x %}'.repeat(30)}`;
    expect(failureOf({ html: doubling })).to.equal('too_large');
    expect(errorsOf('{{ data.x | pop | shift | push: 1 | unshift: 2 }}')).to.deep.equal(
      Array(4).fill('unknown_filter'),
    );
    const joined = `{% assign x = "a" %}${'{% assign x = x | append: x %}'.repeat(30)}`;
    expect(failureOf({ html: joined })).to.equal('too_large');
  });

  it('is no pattern that takes for ever (CVE-2026-45617)', () => {
    // Ends at all, which the pattern of the advisory would not do for an hour.
    const opened = '<script'.repeat(9_000);
    expect(printed('data.x | strip_html', { x: opened })).to.equal('');
    expect(printed('data.x | strip_newlines | strip | truncatewords: 2', { x: ' '.repeat(60_000) })).to.equal('');
  });

  it('is not evaluating what is a text', () => {
    for (const filter of ['where_exp', 'reject_exp', 'find_exp', 'find_index_exp', 'group_by_exp', 'has_exp']) {
      expect(errorsOf(`{{ data.x | ${filter}: "i", "i.constructor" }}`), filter).to.deep.equal(['unknown_filter']);
    }
    expect(htmlOf('{{ data.x }}', { x: '{{ profile.id }}{% for i in (1..9) %}' })).to.equal(
      '{{ profile.id }}{% for i in (1..9) %}',
    );
  });
});
