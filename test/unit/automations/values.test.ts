import { expect } from 'chai';
import { compute } from '../../../src/domain/automations/core/machine/compute.ts';
import { automation, chain, wait } from './support/definitions.ts';
import { Shop } from './support/shop.ts';

describe('a value that is computed', () => {
  const cases: [string, unknown[], unknown][] = [
    ['add', [0.1, 0.2], 0.3],
    ['add', [null, 2, null], 2],
    ['add', ['1', 2], null],
    ['subtract', [5, 7.5], -2.5],
    ['subtract', [null, 1], null],
    ['multiply', [19.9, 3], 59.7],
    ['divide', [10, 4], 2.5],
    ['divide', [10, 0], null],
    ['round', [2.345, 2], 2.35],
    ['round', [-2.5], -3],
    ['round', [1, 1.5], null],
    ['append', [['a'], 'a', null, 'b'], ['a', 'a', 'b']],
    ['append', [null, 'a'], ['a']],
    ['append', ['a', 'b'], null],
    ['append_new', [['a', { n: 1 }], { n: 1 }, 'b', 'b'], ['a', { n: 1 }, 'b']],
    ['append', [Array.from({ length: 1_000 }, (_, i) => i), 1], null],
    ['remove', [['a', 'b', 'a', 1], 'a', '1'], ['b', 1]],
    ['remove', [null, 'a'], []],
    ['multiply', [1e300, 1e300], null],
  ];
  for (const [operation, values, result] of cases) {
    const shown = JSON.stringify(values);
    it(`${operation} of ${shown.length > 60 ? 'a long list' : shown} is ${JSON.stringify(result)}`, () => {
      expect(compute(operation as Parameters<typeof compute>[0], values)).to.deep.equal(result);
    });
  }

  it('leaves an attribute as it is where it can’t be, and counts what is not there as nothing', () => {
    const points = { from: 'profile.attributes.points' };
    const set = {
      points: { compute: { add: [points, { from: 'event.properties.points' }] } },
      gone: { from: 'event.id.no' },
    };
    const shop = new Shop(automation({ steps: chain({ id: 's', type: 'set_profile', set, next: null }) }));
    shop.record('started', { points: 40 });
    expect(shop.attributes()).to.deep.equal({ points: 40 });
    shop.record('started', { points: 'many' });
    expect(shop.attributes()).to.deep.equal({ points: 40 });
    shop.record('started', { points: 2 });
    expect(shop.attributes()).to.deep.equal({ points: 42 });
  });
});

describe('the event that ended a wait', () => {
  const steps = chain(wait('w', 'ordered', { for: [{ event_type: 'ordered', next: 's' }] }), {
    id: 's',
    type: 'set_profile',
    set: {
      order: { from: 'steps.w.event.properties.order_id' },
      first: { from: 'steps.w.event.properties.items.0.title' },
      said: { liquid: '{{ steps.w.event.event_type }} {{ steps.w.event.properties.items.size }}' },
    },
    next: null,
  });

  it('is there for later steps', () => {
    const shop = new Shop(automation({ steps }));
    shop.record('started');
    shop.pass('PT1H');
    shop.record('ordered', { order_id: 'o-1', items: [{ title: 'Hat' }, { title: 'Tie' }], more: 'x' });
    expect(shop.attributes()).to.deep.equal({ order: 'o-1', first: 'Hat', said: 'ordered 2' });
  });

  it('is nothing where none did', () => {
    const shop = new Shop(
      automation({
        steps: steps.map((step) => ({ ...step, ...(step.type === 'wait' && { on_timeout: 's' }) })) as typeof steps,
      }),
    );
    shop.record('started');
    shop.pass('P1D');
    expect(shop.attributes()).to.deep.equal({ said: ' ' });
  });
});
