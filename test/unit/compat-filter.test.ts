import { expect } from 'chai';
import { parseFilter, timeOf } from '../../src/compat/query/filter.ts';
import { pageLinks } from '../../src/compat/query/page.ts';

const equals = (field: string, ...values: string[]) => ({ operator: 'equals', field, values });

describe('A filter of the compatibility surface', () => {
  const ADA = 'ada@example.com';
  for (const [text, conditions] of [
    [`equals(email,"${ADA}")`, [equals('email', ADA)]],
    [`equals(email,'${ADA}')`, [equals('email', ADA)]],
    ['equals(email,"ada%40example.com")', [equals('email', ADA)]],
    ['equals(email,"ada%b@example.com")', [equals('email', 'ada%b@example.com')]],
    ['equals(external_id,"it\\"s, (1)")', [equals('external_id', 'it"s, (1)')]],
    ["equals(email,'o'neill@example.com')", [equals('email', "o'neill@example.com")]],
    ["equals(email,'o\\'neill@example.com')", [equals('email', "o'neill@example.com")]],
    ["equals(email,'o%27neill%40example.com')", [equals('email', "o'neill@example.com")]],
    ["equals(email,'o%27neill@example.com')", [equals('email', "o'neill@example.com")]],
    ['equals(external_id,"5" pipe"),equals(id,"b")', [equals('external_id', '5" pipe'), equals('id', 'b')]],
    [
      "and(any(email,['o'neill@example.com' , 'd'arc@example.com']),has(profile))",
      [
        { operator: 'any', field: 'email', values: ["o'neill@example.com", "d'arc@example.com"] },
        { operator: 'has', field: 'profile', values: [] },
      ],
    ],
    ['any(external_id,["a","b"])', [{ operator: 'any', field: 'external_id', values: ['a', 'b'] }]],
    ['any(id,[])', [{ operator: 'any', field: 'id', values: [] }]],
    ['has(profile)', [{ operator: 'has', field: 'profile', values: [] }]],
    [' equals( email , "a" ) , equals(id,"b") ', [equals('email', 'a'), equals('id', 'b')]],
    [
      'and(greater-than(updated,2026-11-20T09:15:27+00:00),and(equals(id,"b"),less-than(created,2026-11-21)))',
      [
        { operator: 'greater-than', field: 'updated', values: ['2026-11-20T09:15:27+00:00'] },
        equals('id', 'b'),
        { operator: 'less-than', field: 'created', values: ['2026-11-21'] },
      ],
    ],
  ] as const) {
    it(`parses ${text}`, () => expect(parseFilter(text)).to.deep.equal(conditions));
  }

  for (const text of [
    '',
    'email',
    'equals',
    'equals(',
    'equals(email)',
    'equals(email,)',
    'equals(email,"a"',
    'equals(email,"a)',
    'equals(email,["a"])',
    'equals(email,"a")x',
    'equals(email,"a"),',
    'or(equals(email,"a"))',
    'any(id,["a"',
    `any(id,[${'"a",'.repeat(100)}"a"])`,
    `${'and('.repeat(6)}has(a)${')'.repeat(6)}`,
    `has(a)${',has(a)'.repeat(20)}`,
  ]) {
    it(`refuses ${text.slice(0, 60) || 'an empty text'}`, () => expect(() => parseFilter(text)).to.throw('filter '));
  }

  it('stays quick for a long text that is no filter', () => {
    for (const part of ['\\', "'", '" ', "') "]) {
      expect(() => parseFilter(`equals(email,"${part.repeat(100_000)}`)).to.throw('filter ');
      expect(() => parseFilter(`equals(email,'${part.repeat(100_000)}`)).to.throw('filter ');
    }
  });

  it('reads times with any offset, also one whose plus sign became a space, and seconds of Unix time', () => {
    const at = (value: string) => timeOf({ operator: 'less-than', field: 'datetime', values: [value] }).toISOString();
    for (const value of [
      '2026-11-20T09:15:27Z',
      '2026-11-20T10:15:27+01:00',
      '2026-11-20T10:15:27 01:00',
      '2026-11-20 09:15:27',
      '1795166127',
    ]) {
      expect(at(value)).to.equal('2026-11-20T09:15:27.000Z');
    }
    expect(() => at('yesterday')).to.throw('filter needs an ISO 8601 time in less-than(datetime,…)');
  });
});

describe('The links of a page', () => {
  const query = { filter: 'equals(email,"a+b@x.com")', 'page[size]': 2, 'page[cursor]': 'one', sort: undefined };
  const { self, next, prev } = pageLinks('https://a.example.com/compat/v1/profiles', query, 'two=');

  it('have one question mark, encoded brackets and every parameter of the request', () => {
    expect(next).to.match(/page%5Bcursor%5D=two%3D(&|$)/);
    expect(next?.split('?')).to.have.length(2);
    const { searchParams } = new URL(next as string);
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      filter: query.filter,
      'page[size]': '2',
      'page[cursor]': 'two=',
    });
    expect(new URL(self).searchParams.get('page[cursor]')).to.equal('one');
    expect(prev).to.equal(null);
  });

  it('lead nowhere from the last page', () => {
    expect(pageLinks('https://a.example.com/compat/v1/profiles', {}, null).next).to.equal(null);
  });
});
