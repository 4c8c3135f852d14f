import { expect } from 'chai';
import { checkDefinition } from '../../../src/domain/automations/core/check/check-definition.ts';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';
import { fieldOf } from '../../../src/domain/service-error.ts';
import { automation } from './support/definitions.ts';

const problems = (one: unknown) => {
  return checkDefinition(one as Definition).map(({ path, problem }) => `${fieldOf(path) ?? '-'} ${problem}`);
};
const fields = (one: unknown) => checkDefinition(one as Definition).map(({ path }) => fieldOf(path));

/** An automation in which `when` is the condition of a branch. */
const branching = (when: unknown, more = {}) =>
  automation({ steps: [{ id: 'b', type: 'branch', cases: [{ when, next: null }], else: null }] as any, ...more });
const WHEN = 'steps[0].cases[0].when';

describe('bad conditions', () => {
  it('of a wait ask neither for what passes with time nor for what was before', () => {
    const waiting = (when: unknown) =>
      fields(automation({ steps: [{ id: 'w', type: 'wait', for: [{ when, next: null }], timeout: 'P1D' }] as any }));
    const list = '01a1f847-2b10-7d05-8a21-5e90c4f7b316';
    const place = 'steps[0].for[0].when';
    expect(waiting({ list, for: 'P1D' })).to.include(`${place}.for`);
    expect(waiting({ events: { event_type: 'x', measure: 'count' }, op: 'gt', value: 1 })).to.include(
      `${place}.events`,
    );
    expect(waiting({ occurrence: { which: 'first', event_type: 'x' } })).to.include(`${place}.occurrence`);
    const other = { did: { event_type: 'x', measure: 'count' } };
    expect(waiting({ attribute: 'x', op: 'gt', value_of: other })).to.include(`${place}.value_of.did`);
    expect(waiting({ attribute: 'x', op: 'gt', value_of: { attribute: 'y' } })).to.not.include(`${place}.value_of`);
  });

  const BAD: [unknown, string][] = [
    [{ all: [] }, `${WHEN}.all`],
    [{ property: 'x', op: 'eq' }, `${WHEN}.value`],
    [{ property: 'x', op: 'eq', value: ['a'] }, `${WHEN}.value`],
    [{ property: 'x', op: 'exists', value: 1 }, `${WHEN}.value`],
    [{ property: 'x', op: 'gt', value: '5' }, `${WHEN}.value`],
    [{ property: 'x', op: 'in', value: 'a' }, `${WHEN}.value`],
    [{ property: 'x', op: 'in', value: [] }, `${WHEN}.value`],
    [{ property: 'x', op: 'in', value: Array(101).fill('a') }, `${WHEN}.value`],
    [{ property: 'x', op: 'starts_with', value: 5 }, `${WHEN}.value`],
    [{ property: 'x', op: 'ends_with', value: '' }, `${WHEN}.value`],
    [{ property: 'x', op: 'gt', value: 5, ignore_case: true }, `${WHEN}.ignore_case`],
    [{ property: 'x', op: 'before', value: 'tomorrow' }, `${WHEN}.value`],
    [{ property: [], op: 'exists' }, `${WHEN}.property`],
    [{ property: ['a', ''], op: 'exists' }, `${WHEN}.property`],
    [{ identifier: 'email', op: 'gt', value: 5 }, `${WHEN}.op`],
    [{ identifier: 'email', op: 'eq', value: 5 }, `${WHEN}.value`],
    [{ any: [{ not: { attribute: 'x', op: 'lt', value: true } }] }, `${WHEN}.any[0].not.value`],
    [{ did: { event_type: 'x', within: 'P1Y' } }, `${WHEN}.did.within`],
    [{ did: { event_type: 'x', within: 'P1D', since: 'trigger' } }, `${WHEN}.did.since`],
    [{ did: { event_type: 'x', average: { property: '', op: 'gt', value: 1 } } }, `${WHEN}.did.average.property`],
    [{ did: { event_type: 'x', count: { op: 'gt', value: 1 }, days: { op: 'gt', value: 1 } } }, `${WHEN}.did.days`],
    [{ did: { event_type: 'x', days: { op: 'gt', value: 1, time_zone: 'Here' } } }, `${WHEN}.did.days.time_zone`],
    [{ share: { name: 'x', from: 10, to: 10 } }, `${WHEN}.share.to`],
    [{ share: { name: '', to: 10 } }, `${WHEN}.share.name`],
    [{ did: { event_type: 'x', at_least: 3, at_most: 2 } }, `${WHEN}.did.at_least`],
    [{ did: { event_type: 'x', filter: { attribute: 'x', op: 'exists' } } }, `${WHEN}.did.filter.attribute`],
    [{ items: { property: '', where: { property: 'x', op: 'exists' } } }, `${WHEN}.items.property`],
    [{ items: { property: 'x', where: { any: [] } } }, `${WHEN}.items.where.any`],
    [
      { items: { property: 'x', where: { all: Array(11).fill({ property: 'x', op: 'exists' }) } } },
      `${WHEN}.items.where`,
    ],
    [{ items: { property: 'x', where: { property: 'price', op: 'gt', value: '50' } } }, `${WHEN}.items.where.value`],
    [{ items: { property: 'x', where: { attribute: 'x', op: 'exists' } } }, `${WHEN}.items.where.attribute`],
    [
      { items: { property: 'x', where: { items: { property: 'y', where: { property: 'z', op: 'exists' } } } } },
      `${WHEN}.items.where.items`,
    ],
    [{ property: 'x', op: 'gt', value: 1, value_of: { attribute: 'y' } }, `${WHEN}.value`],
    [{ property: 'x', op: 'exists', value_of: { attribute: 'y' } }, `${WHEN}.value_of`],
    [{ property: 'x', op: 'gt', ignore_case: true, value_of: { attribute: 'y' } }, `${WHEN}.ignore_case`],
    [{ property: 'x', op: 'gt', value_of: { attribute: 'y', property: 'z' } }, `${WHEN}.value_of.property`],
    [{ property: 'x', op: 'gt', value_of: { attribute: '' } }, `${WHEN}.value_of.attribute`],
    [
      { property: 'x', op: 'starts_with', value_of: { did: { event_type: 'x', measure: 'count' } } },
      `${WHEN}.value_of.did.measure`,
    ],
    [
      { items: { property: 'x', where: { property: 'y', op: 'gt', value_of: { attribute: 'z' } } } },
      `${WHEN}.items.where.value_of.attribute`,
    ],
    [
      { occurrence: { which: 'last', event_type: 'x', where: { attribute: 'x', op: 'exists' } } },
      `${WHEN}.occurrence.where.attribute`,
    ],
    [
      { sequence: { event_type: 'x', followed_by: { event_type: 'y', within: 'P1M' } } },
      `${WHEN}.sequence.followed_by.within`,
    ],
    [{ list: '01a1f847-2b10-7d05-8a21-5e90c4f7b316', for: 'P1D', joined: { last: 'P1D' } }, `${WHEN}.for`],
    [{ not: { not: { not: { not: { not: { property: 'x', op: 'exists' } } } } } }, `${WHEN}.not.not.not.not.not`],
  ];
  for (const [when, field] of BAD) {
    it(`${JSON.stringify(when).slice(0, 80)} is refused at ${field}`, () => {
      expect(fields(branching(when))).to.deep.equal([field]);
    });
  }

  it('have more than 100 comparisons in all', () => {
    const one = { property: 'x', op: 'exists' };
    expect(problems(branching({ all: Array(100).fill(one) }))).to.deep.equal([]);
    const [message] = problems(
      branching({ all: Array(100).fill(one) }, { exit_when: { attribute: 'x', op: 'exists' } }),
    );
    expect(message).to.equal('- has 101 comparisons in its conditions, and may have 100');
  });

  it('look at an event where none triggers', () => {
    const trigger = { type: 'profile_change', attribute: 'tier' };
    expect(fields(branching({ property: 'x', op: 'exists' }, { trigger }))).to.deep.equal([`${WHEN}.property`]);
    const items = { property: 'x', where: { property: 'y', op: 'exists' } };
    expect(fields(branching({ items }, { trigger }))).to.deep.equal([`${WHEN}.items`]);
  });
});
