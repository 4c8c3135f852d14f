import { expect } from 'chai';
import fc from 'fast-check';
import { OPERATORS } from '../../../src/domain/conditions/comparison.ts';
import type { Condition } from '../../../src/domain/conditions/condition.ts';
import { evaluate } from '../../../src/domain/conditions/evaluate.ts';
import { condition, properties } from './support/arbitraries.ts';

const holds = (one: Condition, found: Record<string, unknown>) => evaluate(one, { properties: found }).holds;

describe('comparisons', () => {
  /** The operator and its value; what passes; what does not. `undefined` is a missing value. */
  const TABLE: [Pick<Extract<Condition, { op: unknown }>, 'op' | 'value' | 'ignore_case'>, unknown[], unknown[]][] = [
    [{ op: 'exists' }, ['', 0, false, [], {}], [undefined, null]],
    [{ op: 'not_exists' }, [undefined, null], ['', 0, false]],
    [{ op: 'eq', value: 5 }, [5, 5.0], ['5', 4, true, undefined, null, [5]]],
    [{ op: 'eq', value: 'gold' }, ['gold'], ['Gold', ' gold', undefined, ['gold']]],
    [{ op: 'eq', value: true }, [true], [1, 'true', undefined]],
    [{ op: 'neq', value: 5 }, ['5', 4, undefined, null, []], [5]],
    [{ op: 'gt', value: 5 }, [5.1, 6], [5, '6', true, undefined, null]],
    [{ op: 'gte', value: 5 }, [5, 6], [4, '5', undefined]],
    [{ op: 'lt', value: 5 }, [4, -1], [5, '4', undefined, null, false]],
    [{ op: 'lte', value: 5 }, [5, 4], [6, '5', undefined]],
    [{ op: 'in', value: ['a', 1] }, ['a', 1], ['b', '1', undefined, ['a']]],
    [{ op: 'not_in', value: ['a', 1] }, ['b', '1', undefined, null], ['a', 1]],
    [{ op: 'contains', value: 'ab' }, ['xaby', ['ab', 1]], ['AB', ['abc'], undefined, 5, { ab: 1 }]],
    [{ op: 'contains', value: 5 }, [[4, 5]], ['5', ['5'], 5, undefined]],
    [{ op: 'starts_with', value: 'ab' }, ['abc', 'ab'], ['xab', ['ab'], undefined]],
    [{ op: 'eq', value: 'Zoe\u0308' }, ['Zoë', 'Zoe\u0308'], ['Zoe', 'zoë']],
    [{ op: 'neq', value: 'Zoë' }, ['Zoe'], ['Zoë', 'Zoe\u0308']],
    [{ op: 'in', value: ['Zoë', 1] }, ['Zoe\u0308', 1], ['Zoe']],
    [{ op: 'not_in', value: ['Zoë', 1] }, ['Zoe'], ['Zoe\u0308', 1]],
    [{ op: 'contains', value: 'oë' }, ['xZoe\u0308x', ['oe\u0308']], ['Zoe', ['Zoë']]],
    [{ op: 'contains', value: 'e' }, ['Zoe'], ['Zoë', 'Zoe\u0308']],
    [{ op: 'starts_with', value: 'Zoe' }, ['Zoes'], ['Zoë', 'Zoe\u0308']],
    [{ op: 'ends_with', value: 'bc' }, ['abc', 'bc'], ['abcd', ['bc'], 'BC', undefined]],
    [{ op: 'ends_with', value: 'oë' }, ['Zoe\u0308'], ['Zoe']],
    [{ op: 'ends_with', value: 'BC', ignore_case: true }, ['abc', 'aBc'], ['abcd', 5]],
    [{ op: 'eq', value: 'ÉTÉ', ignore_case: true }, ['été', 'E\u0301TE\u0301'], ['ete', undefined]],
    [{ op: 'eq', value: 5, ignore_case: true }, [5], ['5']],
    [{ op: 'not_in', value: ['GOLD', 1], ignore_case: true }, ['silver', undefined], ['gold', 'Gold', 1]],
    [{ op: 'contains', value: 'GOLD', ignore_case: true }, ['a golden', ['Gold', 1]], [['golden'], 5]],
    [{ op: 'before', value: '2026-03-02' }, ['2026-03-01', '2026-03-01T23:59:59Z'], ['2026-03-02', 'x', 5, undefined]],
    [
      { op: 'after', value: '2026-03-02T00:00:00+02:00' },
      ['2026-03-02', '2026-03-01T22:00:00.001Z'],
      ['2026-03-01T22:00:00Z', undefined],
    ],
  ];

  for (const [comparison, pass, fail] of TABLE) {
    it(`${comparison.op} ${JSON.stringify(comparison.value) ?? ''} lets values of its own type pass`, () => {
      for (const value of pass)
        expect(holds({ property: 'p', ...comparison }, { p: value }), JSON.stringify(value)).to.equal(true);
      for (const value of fail)
        expect(holds({ property: 'p', ...comparison }, { p: value }), JSON.stringify(value)).to.equal(false);
    });
  }

  it('are all in the table', () => {
    expect(new Set(TABLE.map(([{ op }]) => op))).to.deep.equal(new Set(OPERATORS));
  });

  it('compare addresses and numbers in their canonical form', () => {
    const identifiers = { email: 'info@bücher.example', phone: '+442079460958', external_id: 'C1' };
    const profile = () => ({ id: 'p', identifiers, attributes: {} });
    for (const [identifier, op, value, expected] of [
      ['email', 'eq', 'Info@xn--bcher-kva.example', true],
      ['email', 'eq', 'info@bu\u0308cher.example', true],
      ['email', 'neq', 'info@xn--bcher-kva.example', false],
      ['email', 'in', ['x@example.com', 'INFO@BÜCHER.example'], true],
      ['email', 'contains', '@bu\u0308cher.', true],
      ['email', 'contains', '@xn--bcher', true],
      ['email', 'starts_with', 'INFO@', true],
      ['email', 'starts_with', 'bücher', false],
      ['email', 'ends_with', '@BÜCHER.example', true],
      ['email', 'ends_with', '@xn--bcher-kva.example', true],
      ['email', 'ends_with', 'info', false],
      ['phone', 'ends_with', '09 58', true],
      ['phone', 'eq', '+44 (0)20 7946 0958', true],
      ['phone', 'not_in', ['+44 20 7946 0958'], false],
      ['phone', 'starts_with', '+44 20', true],
      ['external_id', 'eq', 'c1', false],
      ['source_id', 'not_exists', undefined, true],
    ] as const) {
      const leaf = { identifier, op, ...(value !== undefined && { value }) } as Condition;
      expect(evaluate(leaf, { profile }).holds, JSON.stringify(leaf)).to.equal(expected);
    }
  });

  it('find values by a name, which may contain dots, or by a path through objects and lists', () => {
    const found = { 'a.b': 1, a: { b: 2, list: [3] } };
    expect(holds({ property: 'a.b', op: 'eq', value: 1 }, found)).to.equal(true);
    expect(holds({ property: ['a', 'b'], op: 'eq', value: 2 }, found)).to.equal(true);
    expect(holds({ property: ['a', 'list', '0'], op: 'eq', value: 3 }, found)).to.equal(true);
    for (const item of ['1', '-1', '00', 'length']) {
      expect(holds({ property: ['a', 'list', item], op: 'exists' }, found), item).to.equal(false);
    }
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(holds({ property: name, op: 'exists' }, found), name).to.equal(false);
    }
  });
});

describe('conditions', () => {
  const [yes, no] = [
    { property: 'p', op: 'exists' },
    { property: 'p', op: 'not_exists' },
  ] as [Condition, Condition];

  it('combine: all, any, not', () => {
    for (const [combined, expected] of [
      [{ all: [yes, yes] }, true],
      [{ all: [yes, no] }, false],
      [{ any: [no, yes] }, true],
      [{ any: [no, no] }, false],
      [{ not: no }, true],
      [{ not: { all: [yes, { any: [no, yes] }] } }, false],
    ] as [Condition, boolean][]) {
      expect(holds(combined, { p: 1 }), JSON.stringify(combined)).to.equal(expected);
    }
  });

  it('say which leaf decided, where it is, and what it saw', () => {
    const verdict = evaluate(
      { all: [{ property: 'value', op: 'gte', value: 20 }, { any: [{ attribute: 'tier', op: 'eq', value: 'gold' }] }] },
      { properties: { value: 25 }, profile: () => ({ id: 'ada', identifiers: {}, attributes: { tier: 'silver' } }) },
    );
    expect(verdict).to.deep.equal({
      holds: false,
      leaf: { path: ['all', 1, 'any', 0], leaf: { attribute: 'tier', op: 'eq', value: 'gold' }, saw: 'silver' },
    });
  });

  it('say that a value is missing by saying nothing', () => {
    expect(evaluate({ property: 'p', op: 'eq', value: 1 }, { properties: {} }).leaf).not.to.have.property('saw');
  });

  it('shorten long values that they saw', () => {
    const { leaf } = evaluate({ property: 'p', op: 'exists' }, { properties: { p: ['x'.repeat(10_000)] } });
    expect(leaf?.saw).to.have.length(200);
  });

  it('mean the same when denied twice', () => {
    fc.assert(
      fc.property(condition, properties, (one, found) => {
        expect(holds({ not: { not: one } }, found)).to.equal(holds(one, found));
      }),
    );
  });

  it('mean what a naive reading says: all parts, any part, the opposite', () => {
    const naive = (one: Condition, found: Record<string, unknown>): boolean => {
      if ('all' in one) return one.all.map((part) => naive(part, found)).every(Boolean);
      if ('any' in one) return one.any.map((part) => naive(part, found)).some(Boolean);
      return 'not' in one ? !naive(one.not, found) : holds(one, found);
    };
    fc.assert(
      fc.property(condition, properties, (one, found) => {
        expect(holds(one, found)).to.equal(naive(one, found));
      }),
    );
  });

  it('are decided by a leaf that is at the path given, and that held or failed as they did', () => {
    fc.assert(
      fc.property(condition, properties, (one, found) => {
        const { leaf } = evaluate(one, { properties: found });
        if (!leaf) return;
        const there = leaf.path.reduce((part: any, key) => part[key], one);
        expect(there).to.equal(leaf.leaf);
        const denials = leaf.path.filter((key) => key === 'not').length;
        expect(holds(leaf.leaf, found)).to.equal(holds(one, found) === (denials % 2 === 0));
      }),
    );
  });
});
