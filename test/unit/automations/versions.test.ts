import { expect } from 'chai';
import { automation, chain, delay, mark, wait } from './support/definitions.ts';
import { Shop, START } from './support/shop.ts';

const first = automation({ steps: chain(delay('pause', 'P1D'), mark('first')) });
const second = automation({ steps: chain(delay('pause', 'PT1H'), mark('second')) });

describe('a run under way when a version is published', () => {
  it('stays on its own by default', () => {
    const shop = new Shop(first);
    shop.record('started');
    shop.publish(second);
    shop.pass('P1D');
    expect(shop.attributes()).to.deep.equal({ first: true });
  });

  it('moves to the new one where that has its step, and keeps its date', () => {
    const shop = new Shop(first);
    shop.record('started');
    shop.publish(second, 'move');
    shop.pass('PT23H');
    expect(shop.active()).to.have.length(1);
    shop.pass('PT1H');
    expect(shop.attributes()).to.deep.equal({ second: true });
    expect(shop.timeline.find(({ outcome }) => outcome === 'moved')).to.deep.include({ from: 1, to: 2 });
  });

  it('stays where the new one lacks its step, or has another one of that name', () => {
    for (const steps of [chain(mark('second')), chain(wait('pause', 'x'), mark('second'))]) {
      const shop = new Shop(first);
      shop.record('started');
      shop.publish(automation({ steps }), 'move');
      shop.pass('P1D');
      expect(shop.attributes()).to.deep.equal({ first: true });
    }
  });

  it('ends where it is to', () => {
    const shop = new Shop(first);
    shop.record('started');
    shop.publish(second, 'exit');
    shop.pass('P1D');
    expect(shop.reasons()).to.deep.equal(['version_replaced']);
    expect(shop.attributes()).to.deep.equal({});
  });

  it('follows all that was published meanwhile, one after the other', () => {
    const third = automation({ steps: chain(delay('pause', 'PT1H'), mark('third')) });
    for (const [one, other, reached] of [
      ['keep', 'move', 'third'],
      ['move', 'keep', 'second'],
      ['move', 'move', 'third'],
    ] as const) {
      const shop = new Shop(first);
      shop.record('started');
      shop.publish(second, one);
      shop.publish(third, other);
      shop.pass('P1D');
      expect(shop.attributes(), `${one}, ${other}`).to.deep.equal({ [reached]: true });
    }
  });

  it('waits for what the new version waits for', () => {
    const waiting = (type: string) =>
      automation({ steps: chain(wait('w', type, { for: [{ event_type: type, next: 'done' }] }), mark('done')) });
    const shop = new Shop(waiting('ordered'));
    shop.record('started');
    shop.publish(waiting('refunded'), 'move');
    shop.record('ordered');
    expect(shop.active()).to.have.length(1);
    shop.record('refunded');
    expect(shop.attributes()).to.deep.equal({ done: true });
  });
});

describe('a version that was published after an event', () => {
  it('does not concern the runs that the event is read for', () => {
    const shop = new Shop(first, { manual: true });
    shop.record('started');
    shop.settle();
    const before = shop.automation;
    shop.publish(second, 'exit');
    const event = shop.record('other');
    const then = { ...shop.automation, version: before.version };
    shop.tell('ada', { type: 'event', event, runId: 'next' }, then);
    expect(shop.onlyActive().version).to.equal(1);
  });
});

describe('an event that is read after a version was published', () => {
  it('means what it meant when it was recorded', () => {
    const shop = new Shop(first, { manual: true });
    shop.record('started');
    shop.publish(second);
    shop.record('started', {}, { customer: 'ben' });
    shop.settle();
    expect(shop.active().map(({ profileId, version }) => [profileId, version])).to.deep.equal([
      ['ada', 1],
      ['ben', 2],
    ]);
    expect(shop.active().map(({ dueAt }) => (dueAt as number) - START)).to.deep.equal([86_400_000, 3_600_000]);
  });
});
