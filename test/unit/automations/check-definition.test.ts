import { expect } from 'chai';
import fc from 'fast-check';
import { checkDefinition } from '../../../src/domain/automations/core/check/check-definition.ts';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';
import { fieldOf } from '../../../src/domain/service-error.ts';
import { definition } from './support/arbitraries.ts';
import { ABANDONED_CART, automation, BECAME_GOLD, BIRTHDAY, chain, delay, mark, wait } from './support/definitions.ts';

const problems = (one: unknown) => {
  return checkDefinition(one as Definition).map(({ path, problem }) => `${fieldOf(path) ?? '-'} ${problem}`);
};
const fields = (one: unknown) => checkDefinition(one as Definition).map(({ path }) => fieldOf(path));

describe('a definition that can be published', () => {
  for (const one of [ABANDONED_CART, BECAME_GOLD, BIRTHDAY]) {
    it(`is that of the documentation, ${one.name}`, () => expect(problems(one)).to.deep.equal([]));
  }

  it('has all its violations reported at once, each at its place', () => {
    const one = automation({
      start: 'first',
      time_zone: { default: 'Berlin' },
      steps: [
        ...chain({ ...delay('wait', '1h'), next: 'nowhere' }, { ...delay('wait', 'P401D'), next: null }),
        { id: 'split', type: 'split', weights: [{ percent: 50, next: null }] },
      ],
    });
    expect(problems(one)).to.deep.equal([
      'time_zone.default must be the name of a time zone, such as Europe/Berlin',
      'steps[0].for must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as P1DT12H',
      'steps[1].for must be at most P400D',
      'steps[2].weights must add up to 100, not 50',
      'steps[1].id is also the id of steps[0]',
      'start is not the id of a step',
      'steps[0].next is not the id of a step',
    ]);
  });
});

describe('the graph of the steps', () => {
  it('has steps', () => expect(problems({ ...automation(), steps: [] })).to.deep.equal(['steps must not be empty']));

  it('has at most 100', () => {
    const steps = (count: number) => chain(...Array.from({ length: count }, (_, i) => mark(`s${i}`)));
    expect(problems(automation({ steps: steps(100) }))).to.deep.equal([]);
    expect(problems(automation({ steps: steps(101) }))).to.deep.equal(['steps must be at most 100']);
  });

  it('leads back to no step', () => {
    const steps = chain(mark('a'), mark('b'), { ...mark('c'), next: 'b' });
    expect(problems(automation({ steps }))).to.deep.equal(['steps[2].next leads back to a step before it']);
    expect(fields(automation({ steps: chain({ ...mark('a'), next: 'a' }) }))).to.deep.equal(['steps[0].next']);
  });

  it('may join', () => {
    const steps = chain(
      wait('w', 'x', { for: [{ event_type: 'x', next: 'end' }], on_timeout: 'm' }),
      { ...mark('m'), next: 'end' },
      mark('end'),
    );
    expect(problems(automation({ steps }))).to.deep.equal([]);
  });

  it('reaches every step', () => {
    const steps = chain({ ...mark('a'), next: null }, mark('b'), { ...mark('c'), next: null });
    expect(problems(automation({ steps }))).to.deep.equal(['steps[1] is never reached', 'steps[2] is never reached']);
  });

  it('takes at most 400 days on its longest way', () => {
    const twice = chain(delay('a', 'P200D'), delay('b', 'P200D'));
    expect(problems(automation({ steps: twice }))).to.deep.equal([]);
    const more = chain(delay('a', 'P200D'), wait('w', 'x', { timeout: 'P201D' }));
    expect(problems(automation({ steps: more }))).to.deep.equal(['steps take up to 401 days in all, and may take 400']);
    const branches = chain(
      {
        id: 'b',
        type: 'split',
        weights: [
          { percent: 50, next: 'x' },
          { percent: 50, next: 'y' },
        ],
      },
      { ...delay('x', 'P300D'), next: null },
      delay('y', 'P300D'),
    );
    expect(problems(automation({ steps: branches }))).to.deep.equal([]);
  });
});

describe('bad settings', () => {
  const BAD: [Record<string, unknown>, string][] = [
    [{ trigger: { type: 'event', event_type: 'x', max_age: 'P31D' } }, 'trigger.max_age'],
    [
      { trigger: { type: 'event', event_type: 'x', filter: { attribute: 'x', op: 'exists' } } },
      'trigger.filter.attribute',
    ],
    [{ trigger: { type: 'profile_change', attribute: 'x', from: { op: 'eq' } } }, 'trigger.from.value'],
    [{ trigger: { type: 'date', attribute: 'x', repeat: 'once', at: '9:00' } }, 'trigger.at'],
    [{ trigger: { type: 'date', attribute: 'x', repeat: 'once', at: '09:00', offset: '-P401D' } }, 'trigger.offset'],
    [{ trigger: { type: 'date', attribute: 'x', repeat: 'once', at: '09:00' }, key: { property: 'x' } }, 'key'],
    [{ reentry: { mode: 'once', per: 'key' } }, 'reentry.per'],
    [{ reentry: { mode: 'once', per: 'profile', min_interval: 'PT0S' } }, 'reentry.min_interval'],
    [{ exit_on: [{ event_type: 'x', match_key: { property: 'x' } }] }, 'exit_on[0].match_key'],
    [{ exit_when: { property: 'x', op: 'exists' } }, 'exit_when.property'],
    [{ quiet_hours: { from: '21:00', to: '21:00' } }, 'quiet_hours.to'],
    [{ quiet_hours: { from: '21:00', to: '8:00' } }, 'quiet_hours.to'],
    [{ time_zone: { default: '+02:00' } }, 'time_zone.default'],
    [{ name: Symbol('contains a NUL character') }, 'name'],
  ];
  for (const [parts, field] of BAD) {
    it(`are refused at ${field}`, () => expect(fields(automation(parts))).to.deep.equal([field]));
  }

  it('are larger than 64 KB', () => {
    const steps = chain({ id: 's', type: 'set_profile', set: { a: 'ä'.repeat(32 * 1024) } });
    expect(problems(automation({ steps }))).to.deep.equal(['- is larger than 64 KB']);
  });

  it('refer to an event where none triggers', () => {
    const steps = chain({ id: 's', type: 'set_profile', set: { a: { from: 'event.properties.x' } } });
    const byHand = (from: string) =>
      automation({ trigger: { type: 'manual' }, steps: chain({ id: 's', type: 'set_profile', set: { a: { from } } }) });
    expect(fields(automation({ trigger: BIRTHDAY.trigger, steps }))).to.deep.equal(['steps[0].set.a.from']);
    expect(fields(byHand('event.properties.x'))).to.deep.equal([]);
    expect(fields(byHand('event.id'))).to.deep.equal(['steps[0].set.a.from']);
  });
});

describe('random definitions', () => {
  it('have no violations but of steps that are never reached', () => {
    fc.assert(
      fc.property(definition, (one) => {
        const found = problems(one).filter((problem) => !problem.endsWith('is never reached'));
        expect(found.filter((problem) => !problem.includes('nested deeper'))).to.deep.equal([]);
      }),
    );
  });
});
