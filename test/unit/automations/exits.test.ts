import { expect } from 'chai';
import { automation, chain, delay, mark, wait } from './support/definitions.ts';
import { Shop } from './support/shop.ts';

const STEPS = chain(delay('hour', 'PT1H'), mark('reminded'));

describe('an exit on an event', () => {
  it('ends the run at once, wherever it is', () => {
    const shop = new Shop(automation({ exit_on: [{ event_type: 'ordered' }], steps: STEPS }));
    shop.record('started');
    const { id } = shop.record('ordered');
    expect(shop.reasons()).to.deep.equal(['exit_event']);
    expect(shop.timeline.at(-1)).to.deep.include({
      outcome: 'ended',
      event: { index: 0, eventId: id, occurredAt: shop.now },
    });
    shop.pass('P1D');
    expect(shop.attributes()).to.deep.equal({});
  });

  it('concerns runs with its key alone', () => {
    const exit_on = [{ event_type: 'ordered', match_key: { property: 'cart' } }];
    const shop = new Shop(
      automation({ key: { property: 'cart' }, reentry: { mode: 'every_time', per: 'key' }, exit_on, steps: STEPS }),
    );
    for (const cart of ['a', 'b']) shop.record('started', { cart });
    shop.record('ordered', { cart: 'b' });
    expect(shop.reasons()).to.deep.equal([null, 'exit_event']);
  });

  it('comes before a wait for the same event', () => {
    const shop = new Shop(automation({ exit_on: [{ event_type: 'ordered' }], steps: chain(wait('w', 'ordered')) }));
    shop.record('started');
    shop.record('ordered');
    expect(shop.reasons()).to.deep.equal(['exit_event']);
  });

  it('ends no run that the same event starts', () => {
    const shop = new Shop(automation({ exit_on: [{ event_type: 'started' }], steps: STEPS }));
    shop.record('started');
    shop.pass('PT30M');
    shop.record('started');
    expect(shop.reasons()).to.deep.equal(['exit_event', null]);
    shop.pass('PT1H');
    expect(shop.reasons()).to.deep.equal(['exit_event', 'completed']);
  });

  it('counts before every action, though nobody has read the event yet', () => {
    const shop = new Shop(automation({ exit_on: [{ event_type: 'ordered' }], steps: STEPS }), { manual: true });
    shop.record('started');
    shop.settle();
    shop.pass('PT30M');
    shop.record('ordered');
    shop.pass('PT30M');
    shop.takeDue();
    expect(shop.reasons()).to.deep.equal(['exit_event']);
    shop.settle();
    expect(shop.attributes()).to.deep.equal({});
  });

  it('finds an event that arrived before the trigger, but happened after it', () => {
    const shop = new Shop(automation({ exit_on: [{ event_type: 'ordered' }], steps: STEPS }));
    shop.record('ordered');
    shop.record('started', {}, { ago: 'PT10M' });
    shop.pass('PT1H');
    expect(shop.reasons()).to.deep.equal(['exit_event']);
  });

  it('needs no backfilled event', () => {
    const shop = new Shop(automation({ exit_on: [{ event_type: 'ordered' }], steps: STEPS }));
    shop.record('started');
    shop.record('ordered', {}, { backfill: true });
    shop.pass('PT1H');
    expect(shop.attributes()).to.deep.equal({ reminded: true });
  });
});

describe('an exit by condition', () => {
  const exit_when = { attribute: 'unsubscribed', op: 'eq', value: true } as const;

  it('ends the run before its next action', () => {
    const shop = new Shop(automation({ exit_when, steps: STEPS }));
    shop.record('started');
    shop.set({ unsubscribed: true });
    expect(shop.active()).to.have.length(1);
    shop.pass('PT1H');
    expect(shop.attributes()).to.deep.equal({ unsubscribed: true });
    expect(shop.timeline.at(-1)).to.deep.include({
      outcome: 'ended',
      reason: 'exit_condition',
      leaf: { path: [], leaf: exit_when, saw: true },
    });
  });

  it('sees what the run itself has set', () => {
    const shop = new Shop(automation({ exit_when, steps: chain(mark('unsubscribed'), mark('more')) }));
    shop.record('started');
    expect(shop.attributes()).to.deep.equal({ unsubscribed: true });
    expect(shop.reasons()).to.deep.equal(['exit_condition']);
  });

  it('may be on history', () => {
    const bought = { did: { event_type: 'ordered', since: 'trigger' } } as const;
    const shop = new Shop(automation({ exit_when: bought, steps: STEPS }));
    shop.record('started');
    shop.record('ordered');
    shop.pass('PT1H');
    expect(shop.reasons()).to.deep.equal(['exit_condition']);
  });
});

describe('an exit by somebody', () => {
  it('ends the run, once', () => {
    const shop = new Shop(automation({ steps: STEPS }));
    shop.record('started');
    const run = shop.onlyActive();
    shop.tellRun({ type: 'exit', runId: run.id, by: 'key 1' });
    expect(shop.timeline.at(-1)).to.include({ outcome: 'ended', reason: 'requested', by: 'key 1' });
    const again = shop.tellRun({ type: 'exit', runId: run.id });
    expect(again.timeline).to.deep.equal([]);
  });
});
