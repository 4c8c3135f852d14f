import { expect } from 'chai';
import { ClientEventTypes } from '../../src/domain/client-event-types.ts';

const types = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `type_${from + i}`);
const pathOf = (index: number) => ['events', index];

describe('The event types of pages and apps', () => {
  it('are 500 at most for a store, of which each may be used again', () => {
    const known = new ClientEventTypes();
    known.check('a', types(0, 500), pathOf);
    known.check('a', types(0, 500), pathOf);
    expect(() => known.check('a', types(499, 501), pathOf)).to.throw('events[1] is one of more than 500');
    known.check('b', types(499, 501), pathOf);
  });

  it('are counted anew each day', () => {
    let now = 0;
    const known = new ClientEventTypes(() => now);
    known.check('a', types(0, 500), pathOf);
    now = 86_399_999;
    expect(() => known.check('a', ['one more'], pathOf)).to.throw('more than 500');
    now = 86_400_000;
    known.check('a', types(1000, 1500), pathOf);
  });
});
