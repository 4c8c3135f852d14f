import { expect } from 'chai';
import { renderContent } from '../../src/domain/templates/core/render-content.ts';
import { contentOf, DATA, failureOf, printed } from './support/compiling.ts';

/** An expression, and what it prints. */
const EXAMPLES: Record<string, [expression: string, printed: string][]> = {
  texts: [
    ['"Ada Lovelace" | upcase', 'ADA LOVELACE'],
    ['"Ada" | downcase', 'ada'],
    ['"ada LOVELACE" | capitalize', 'Ada lovelace'],
    ['"  a b " | strip | append: "!" | prepend: "¡"', '¡a b!'],
    ['"abcdef" | truncate: 4', 'abc…'],
    ['"abcdef" | truncate: 5, "..."', 'ab...'],
    ['"👩‍🚀" | size', '3'],
    ['"one two three" | truncatewords: 2', 'one two…'],
    ['"a.b.c" | replace: ".", "$&"', 'a$&b$&c'],
    ['"a.b.c" | replace_first: ".", "-"', 'a-b.c'],
    ['"a.b.c" | remove: "."', 'abc'],
    ['"a.b.c" | remove_first: "."', 'ab.c'],
    ['"abc" | slice: -2, 2', 'bc'],
    ['"a<b>c</b>d<e" | strip_html', 'acd'],
    ['"ä &/?" | url_encode', '%C3%A4%20%26%2F%3F'],
    ['"a & b" | escape', 'a & b'],
  ],
  lists: [
    ['profile.attributes.tags | join: ", "', 'b, a, b'],
    ['profile.attributes.tags | sort | uniq | join: ""', 'ab'],
    ['profile.attributes.tags | reverse | first', 'b'],
    ['"c,B,a" | split: "," | sort_natural | join: ","', 'a,B,c'],
    ['data.items | map: "title" | join: "+"', 'Tea+Cup'],
    ['data.items | where: "title", "Cup" | map: "price" | first', '3'],
    ['data.items | sort: "price" | map: "title" | last', 'Tea'],
    ['data.items | sum: "price"', '13.5'],
    ['data.items | size', '2'],
    ['data.items | concat: profile.attributes.tags | size', '5'],
    ['data.holes | compact | size', '2'],
    ['profile.attributes.tags.first', 'b'],
    ['profile.attributes.tags[1]', 'a'],
  ],
  numbers: [
    ['0.1 | plus: 0.2', '0.3'],
    ['7 | minus: 2 | times: 3', '15'],
    ['7 | divided_by: 2', '3'],
    ['7 | divided_by: 2.0', '3'],
    ['7.5 | divided_by: 2', '3.75'],
    ['-7 | modulo: 3', '2'],
    ['7 | divided_by: 0', '0'],
    ['2.675 | round: 2', '2.68'],
    ['1.2 | ceil', '2'],
    ['1.8 | floor', '1'],
    ['-3 | abs', '3'],
    ['7 | at_most: 5 | at_least: 2', '5'],
    ['"many" | plus: 1', '1'],
  ],
  defaults: [
    ['profile.attributes.nick | default: "friend"', 'friend'],
    ['profile.attributes.first_name | default: "friend"', 'Ada'],
    ['false | default: "yes"', 'yes'],
    ['false | default: "yes", allow_false: true', 'false'],
    ['data.none | default: data.none | default: 3', '3'],
  ],
  times: [
    ['now | date', 'November 27, 2026'],
    ['now | date: "%Y-%m-%d %H:%M:%S"', '2026-11-27 08:05:09'],
    ['now | date: "%a %A %b %B %-d %e %y %l%P %z %%"', 'Fri Friday Nov November 27 27 26 8am +0000 %'],
    ['"now" | date: "%F"', '2026-11-27'],
    ['"2026-02-03" | date: "%d.%m."', '03.02.'],
    ['0 | date: "%Y"', '1970'],
    ['"soon" | date: "%Y"', 'soon'],
    ['now | date: "%Q"', '%Q'],
  ],
  amounts: [
    ['1234.5 | money: "EUR"', '€1,234.50'],
    ['"1234.5" | money', '1,234.50'],
    ['"free" | money: "EUR"', 'free'],
    ['5 | money: "€"', '5.00'],
    ['1234567.891 | number', '1,234,567.891'],
    ['2 | number: 2', '2.00'],
  ],
};

const items = [
  { title: 'Tea', price: 10.5 },
  { title: 'Cup', price: 3 },
];

describe('The filters of templates', () => {
  for (const [kind, examples] of Object.entries(EXAMPLES)) {
    it(`write ${kind}`, () => {
      const results = examples.map(([expression]) => [expression, printed(expression, { items, holes: [1, null, 2] })]);
      expect(results).to.deep.equal(examples);
    });
  }

  it('write times, amounts and numbers as the language and the time zone have it', () => {
    const german = { locale: 'de', timeZone: 'Europe/Berlin' };
    const source =
      '{{ now | date: "full" }}|{{ now | date: "%-d. %B, %H:%M" }}|{{ 1234.5 | number: 2 }}|{{ 5 | money: "EUR" }}';
    const content = contentOf({ text: source });
    const message = renderContent({ format: 1, reads: [], locale: 'de', contents: { de: content } }, DATA, german);
    expect((message as { text: string }).text).to.equal(
      'Freitag, 27. November 2026|27. November, 09:05|1.234,50|5,00\u00a0€',
    );
  });

  it('write UTC in a time zone that nobody knows', () => {
    expect(printed('now | date: "%H"', {}, { timeZone: 'Mars/Olympus' })).to.equal('08');
  });

  it('refuse what would be too long, before it is made', () => {
    const long = 'x'.repeat(50_000);
    const failure = (expression: string) => failureOf({ text: `{{ ${expression} }}` }, { data: { long } });
    expect(failure('data.long | replace: "x", "0123456789"')).to.equal('too_large');
    expect(failure('data.long | append: data.long | append: data.long')).to.equal('too_large');
    expect(failure('data.long | split: "" | join: "0123456789"')).to.equal('too_large');
    expect(failure('now | date: data.long')).to.equal('too_large');
  });

  it('see nothing of a value but its own properties', () => {
    for (const path of ['constructor', '__proto__', 'toString', 'length', 'constructor.name']) {
      expect(printed(`data.items | map: "${path}" | join: ""`, { items: [{}] }), path).to.equal('');
      expect(printed(`data.items | where: "${path}" | size`, { items: [{}] }), path).to.equal('0');
    }
  });
});
