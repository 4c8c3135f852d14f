import { expect } from 'chai';
import { checkDefinition } from '../../../src/domain/automations/core/check/check-definition.ts';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';
import { fieldOf } from '../../../src/domain/service-error.ts';
import { ABANDONED_CART, automation, chain, delay, wait } from './support/definitions.ts';

const fields = (one: unknown) => checkDefinition(one as Definition).map(({ path }) => fieldOf(path));

describe('bad steps', () => {
  /** A step, and the field that is wrong with it. */
  const BAD: [Record<string, unknown>, string][] = [
    [{ id: 's', type: 'delay' }, 'steps[0]'],
    [{ id: 's', type: 'delay', for: 'PT1H', until: { at: '09:00' } }, 'steps[0]'],
    [delay('s', 'PT0S'), 'steps[0].for'],
    [delay('s', '-PT1H'), 'steps[0].for'],
    [delay('s', 'P1M'), 'steps[0].for'],
    [{ id: 's', type: 'delay', until: { at: '24:00' } }, 'steps[0].until.at'],
    [{ id: 's', type: 'delay', until: { at: '09:60' } }, 'steps[0].until.at'],
    [{ id: 's', type: 'delay', until: { at: '09:00', weekdays: [] } }, 'steps[0].until.weekdays'],
    [wait('s', 'x', { for: [] }), 'steps[0].for'],
    [wait('s', 'x', { timeout: 'soon' }), 'steps[0].timeout'],
    [
      wait('s', 'x', { for: [{ event_type: 'x', match_key: { property: 'k' }, next: null }] }),
      'steps[0].for[0].match_key',
    ],
    [wait('s', 'x', { for: [{ when: { did: { event_type: 'x' } }, next: null }] }), 'steps[0].for[0].when.did'],
    [wait('s', 'x', { for: [{ when: { property: 'x', op: 'exists' }, next: null }] }), 'steps[0].for[0].when.property'],
    [
      wait('s', 'x', { for: [{ event_type: 'x', filter: { attribute: 'x', op: 'exists' }, next: null }] }),
      'steps[0].for[0].filter.attribute',
    ],
    [{ id: 's', type: 'branch', cases: [], else: null }, 'steps[0].cases'],
    [
      {
        id: 's',
        type: 'split',
        weights: [
          { percent: -10, next: null },
          { percent: 110, next: null },
        ],
      },
      'steps[0].weights[0].percent',
    ],
    [{ id: 's', type: 'split', weights: [] }, 'steps[0].weights'],
    [{ id: 's', type: 'set_profile' }, 'steps[0]'],
    [{ id: 's', type: 'set_profile', set: { a: 1 }, unset: ['a'] }, 'steps[0].unset[0]'],
    [{ id: 's', type: 'set_profile', set: { a: { from: 'event.props.x' } } }, 'steps[0].set.a.from'],
    [
      { id: 's', type: 'set_profile', set: { a: [{ b: { from: 'profile.identifiers.name' } }] } },
      'steps[0].set.a[0].b.from',
    ],
    [
      { id: 's', type: 'emit_event', event_type: 'x', properties: { a: { from: 'event.properties' } } },
      'steps[0].properties.a.from',
    ],
    [{ id: 's', type: 'set_profile', set: { a: ['Dear {{ profile.first_name }}'] } }, 'steps[0].set.a[0]'],
    [{ id: 's', type: 'emit_event', event_type: 'x', properties: { a: '{% if x %}' } }, 'steps[0].properties.a'],
    [{ id: 's', type: 'emit_event', event_type: 'cart_{{ event.properties.kind }}' }, 'steps[0].event_type'],
    [
      { id: 's', type: 'set_profile', set: { '{{ event.properties.kind }}': true } },
      'steps[0].set.{{ event.properties.kind }}',
    ],
    [{ id: 's', type: 'exit', reason: 'has {{ event.properties.kind }}' }, 'steps[0].reason'],
    [{ id: 's', type: 'set_profile', set: { a: { from: 'event.properties.items[0].title' } } }, 'steps[0].set.a.from'],
    [{ id: 's', type: 'set_profile', set: { a: { from: 'event.properties.items.*.title' } } }, 'steps[0].set.a.from'],
    [
      { id: 's', type: 'delay', until_date: { date: { from: 'profile.birthday' }, if_past: 'exit' } },
      'steps[0].until_date.date.from',
    ],
    [
      { id: 's', type: 'delay', until_date: { date: { from: 'steps.none.event.occurred_at' }, if_past: 'exit' } },
      'steps[0].until_date.date.from',
    ],
  ];
  for (const [step, field] of BAD) {
    it(`${JSON.stringify(step)} is refused at ${field}`, () => {
      expect(fields(automation({ steps: chain(step) }))).to.include(field);
    });
  }

  it('may have names with brackets in lists of names', () => {
    const from = ['event', 'properties', 'items[0]', '*'];
    expect(
      checkDefinition(automation({ steps: chain({ id: 's', type: 'set_profile', set: { a: { from } } }) })),
    ).to.deep.equal([]);
  });

  it('are told of once where a date is none', () => {
    const until_date = { date: { from: 'profile.birthday' }, if_past: 'exit' };
    const found = fields(automation({ steps: chain({ id: 's', type: 'delay', until_date }) }));
    expect(found).to.deep.equal(['steps[0].until_date.date.from']);
  });

  it('are those that the service does not offer', () => {
    const found = checkDefinition(ABANDONED_CART, {
      stepTypes: new Set(['delay', 'branch', 'set_profile', 'wait', 'emit_event', 'exit']),
    });
    expect(found.map(({ path }) => fieldOf(path))).to.deep.equal(['steps[3].type']);
  });

  it('may split by tenths', () => {
    const weights = Array.from({ length: 10 }, () => ({ percent: 10, next: null }));
    expect(fields(automation({ steps: [{ id: 's', type: 'split', weights }] }))).to.deep.equal([]);
    const tenths = [33.3, 33.3, 33.4].map((percent) => ({ percent, next: null }));
    expect(fields(automation({ steps: [{ id: 's', type: 'split', weights: tenths }] }))).to.deep.equal([]);
  });

  it('may name literal objects that look like references', () => {
    const set = { a: { literal: { from: 'nowhere' } }, b: { from: 'x', to: 'y' }, from: 'shop' };
    expect(fields(automation({ steps: chain({ id: 's', type: 'set_profile', set }) }))).to.deep.equal([]);
  });
});
