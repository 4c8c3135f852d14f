import { expect } from 'chai';
import { automation, chain, delay, mark, wait } from './support/definitions.ts';
import { Shop } from './support/shop.ts';

const CASES = [
  { event_type: 'ordered', next: 'bought' },
  { event_type: 'left', next: null },
];
/** Waits for a day; marks the customer as `bought` or `lost`. */
const waiting = (more = {}) =>
  chain(
    wait('w', 'ordered', { for: CASES, on_timeout: 'lost', ...more }),
    { ...mark('bought'), next: null },
    mark('lost'),
  );

describe('a wait', () => {
  it('ends with the first of its events', () => {
    const shop = new Shop(automation({ steps: waiting() }));
    shop.record('started');
    shop.pass('PT1H');
    const { id } = shop.record('ordered');
    shop.record('left');
    expect(shop.attributes()).to.deep.equal({ bought: true });
    expect(shop.timeline.find(({ outcome }) => outcome === 'matched')).to.deep.include({
      event: { index: 0, eventId: id, occurredAt: shop.now },
      next: 'bought',
    });
  });

  it('ends after its time', () => {
    const shop = new Shop(automation({ steps: waiting() }));
    shop.record('started');
    shop.pass('P1D');
    shop.record('ordered');
    expect(shop.attributes()).to.deep.equal({ lost: true });
    expect(shop.outcomes()).to.deep.equal([['started', 'waiting', 'timed_out', 'profile_set', 'ended']]);
  });

  it('finds an event from before it began', () => {
    const shop = new Shop(automation({ steps: [...chain({ ...delay('d', 'PT1H'), next: 'w' }), ...waiting()] }));
    shop.record('started');
    shop.record('ordered');
    shop.pass('PT1H');
    expect(shop.outcomes()).to.deep.equal([['started', 'delayed', 'matched', 'profile_set', 'ended']]);
  });

  it('finds the one that arrived first, which would have ended it had it begun before', () => {
    for (const steps of [[...chain({ ...delay('d', 'PT1H'), next: 'w' }), ...waiting()], waiting()]) {
      const shop = new Shop(automation({ steps }));
      shop.record('started');
      shop.pass('PT30M');
      shop.record('ordered');
      shop.record('left', {}, { ago: 'PT10M' });
      shop.pass('PT1H');
      expect(shop.attributes()).to.deep.equal({ bought: true });
    }
  });

  it('takes no event of the moment of the trigger that arrived before it', () => {
    const shop = new Shop(automation({ exit_on: [{ event_type: 'left' }], steps: waiting() }), { manual: true });
    for (const type of ['left', 'ordered', 'started']) shop.record(type);
    shop.settle();
    expect(shop.outcomes()).to.deep.equal([['started', 'waiting']]);
    shop.record('ordered');
    shop.settle();
    expect(shop.attributes()).to.deep.equal({ bought: true });
  });

  it('does not look back where it is to count from its own beginning', () => {
    const steps = [...chain({ ...delay('d', 'PT1H'), next: 'w' }), ...waiting({ since: 'step' })];
    const shop = new Shop(automation({ steps }));
    shop.record('started');
    shop.record('ordered');
    shop.pass('PT2H');
    shop.record('ordered', {}, { ago: 'PT1H1S' });
    expect(shop.attributes()).to.deep.equal({});
    shop.record('ordered', {}, { ago: 'PT1H' });
    expect(shop.attributes()).to.deep.equal({ bought: true });
  });

  it('takes an event that arrives late, if it happened after the trigger', () => {
    const shop = new Shop(automation({ steps: waiting() }));
    shop.record('started');
    shop.pass('PT2H');
    shop.record('ordered', {}, { ago: 'PT2H5M1S' });
    expect(shop.active()).to.have.length(1);
    shop.record('ordered', {}, { ago: 'PT2H5M' });
    expect(shop.active()).to.have.length(0);
  });

  it('takes no event that arrived before the trigger, unless it happened after it', () => {
    const shop = new Shop(automation({ steps: waiting() }));
    shop.record('ordered', {}, { ago: 'PT1M' });
    shop.record('started');
    expect(shop.active()).to.have.length(1);
    const other = new Shop(automation({ steps: waiting() }));
    other.record('ordered');
    other.record('started', {}, { ago: 'PT1M' });
    expect(other.attributes()).to.deep.equal({ bought: true });
  });

  it('uses no event again that an earlier wait has used, nor the trigger', () => {
    const steps = chain(
      wait('one', 'started', { for: [{ event_type: 'started', next: 'two' }] }),
      wait('two', 'started', { for: [{ event_type: 'started', next: 'done' }] }),
      mark('done'),
    );
    const shop = new Shop(automation({ steps }));
    shop.record('started');
    expect(shop.active()[0]?.stepId).to.equal('one');
    shop.record('started');
    expect(shop.active()[0]?.stepId).to.equal('two');
    shop.record('started');
    expect(shop.attributes()).to.deep.equal({ done: true });
  });

  it('takes events with its key alone, and those that pass its filter', () => {
    const match = {
      event_type: 'ordered',
      match_key: { property: ['cart', 'id'] },
      filter: { property: 'paid', op: 'eq', value: true },
      next: 'bought',
    };
    const steps = waiting({ for: [match] });
    const shop = new Shop(
      automation({ key: { property: 'cart' }, reentry: { mode: 'every_time', per: 'key' }, steps }),
    );
    shop.record('started', { cart: 1 });
    shop.record('started', { cart: '2' });
    for (const properties of [{ cart: { id: 3 }, paid: true }, { paid: true }, { cart: { id: 2 }, paid: false }])
      shop.record('ordered', properties);
    expect(shop.active()).to.have.length(2);
    shop.record('ordered', { cart: { id: 2 }, paid: true });
    expect(shop.active().map(({ key }) => key)).to.deep.equal(['1']);
  });

  it('takes no backfilled event', () => {
    const shop = new Shop(automation({ steps: waiting() }));
    shop.record('started');
    shop.record('ordered', {}, { backfill: true });
    shop.pass('P1D');
    expect(shop.attributes()).to.deep.equal({ lost: true });
  });

  it('does not time out on an event that is stored, but has not been read yet', () => {
    const shop = new Shop(automation({ steps: waiting() }), { manual: true });
    shop.record('started');
    shop.settle();
    shop.pass('PT23H');
    shop.record('ordered');
    shop.pass('PT1H');
    shop.takeDue();
    expect(shop.attributes()).to.deep.equal({ bought: true });
    shop.settle();
    expect(shop.outcomes()).to.deep.equal([['started', 'waiting', 'matched', 'profile_set', 'ended']]);
  });
});

describe('a wait for the profile', () => {
  const steps = waiting({ for: [{ when: { attribute: 'tier', op: 'eq', value: 'gold' }, next: 'bought' }] });

  it('ends with the change', () => {
    const shop = new Shop(automation({ steps }));
    shop.record('started');
    shop.set({ tier: 'silver' });
    expect(shop.active()).to.have.length(1);
    shop.set({ tier: 'gold' });
    expect(shop.attributes()).to.deep.include({ bought: true });
    expect(shop.timeline.find(({ outcome }) => outcome === 'matched')).to.deep.include({
      condition: { index: 0, leaf: { path: [], leaf: { attribute: 'tier', op: 'eq', value: 'gold' }, saw: 'gold' } },
    });
  });

  it('ends at once if the profile is so already', () => {
    const shop = new Shop(automation({ steps }), { attributes: { tier: 'gold' } });
    shop.record('started');
    expect(shop.attributes()).to.deep.include({ bought: true });
  });

  it('ends with a change that has been undone when it is read', () => {
    const shop = new Shop(automation({ steps }), { manual: true });
    shop.record('started');
    shop.settle();
    shop.set({ tier: 'gold' });
    shop.set({ tier: 'silver' });
    shop.settle();
    expect(shop.attributes()).to.deep.include({ bought: true });
  });
});
