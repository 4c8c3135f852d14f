import { expect } from 'chai';
import type { Reentry } from '../../../src/domain/automations/core/definition/definition.ts';
import { automation, chain, delay } from './support/definitions.ts';
import { Shop, START } from './support/shop.ts';

const HOUR = 3_600_000;

/** Runs take a day. */
const shopWith = (reentry: Reentry) =>
  new Shop(automation({ reentry, key: { property: 'cart' }, steps: chain(delay('day', 'P1D')) }));

describe('re-entry into an automation', () => {
  it('is possible one at a time by default', () => {
    const shop = new Shop(automation({ steps: chain(delay('day', 'P1D')) }));
    shop.record('started');
    shop.pass('PT1H');
    shop.record('started');
    expect(shop.runs.size).to.equal(1);
    shop.pass('P1D');
    shop.record('started');
    expect(shop.runs.size).to.equal(2);
  });

  it('is told by when somebody asked for it, however late that is read', () => {
    for (const [hours, runs] of [
      [23, 1],
      [24, 2],
    ] as const) {
      const shop = new Shop(automation({ steps: chain(delay('day', 'P1D')) }), { manual: true });
      shop.record('started');
      shop.settle();
      shop.pass(`PT${hours}H`);
      shop.record('started');
      shop.pass('PT2H');
      shop.settle();
      expect(shop.runs.size).to.equal(runs);
    }
  });

  it('says which run is in the way', () => {
    const shop = shopWith({ mode: 'one_at_a_time', per: 'profile' });
    shop.record('started', { cart: 'a' });
    const { id } = shop.record('started', { cart: 'b' });
    const runId = shop.active()[0]?.id;
    expect(shop.skips()).to.deep.equal([
      { type: 'skip', triggerId: id, reason: 'reentry', detail: { runId }, at: START },
    ]);
  });

  it('is possible one at a time for each key', () => {
    const shop = shopWith({ mode: 'one_at_a_time', per: 'key' });
    for (const cart of ['a', 'b', 'a']) shop.record('started', { cart });
    expect(shop.active().map(({ key }) => key)).to.deep.equal(['a', 'b']);
  });

  it('happens once, for ever', () => {
    const shop = shopWith({ mode: 'once', per: 'profile' });
    shop.record('started', { cart: 'a' });
    shop.pass('P399D');
    shop.record('started', { cart: 'b' });
    expect(shop.runs.size).to.equal(1);
    expect(shop.skips().map(({ reason, detail }) => [reason, detail])).to.deep.equal([['reentry', {}]]);
  });

  it('restarts: the run under way ends, and leaves nothing behind', () => {
    const shop = shopWith({ mode: 'restart', per: 'profile' });
    shop.record('started', { cart: 'a' });
    shop.pass('PT12H');
    const { id } = shop.record('started', { cart: 'b' });
    expect(shop.reasons()).to.deep.equal(['restarted', null]);
    expect(shop.timeline.find(({ outcome }) => outcome === 'ended')).to.include({ reason: 'restarted', by: id });
    shop.pass('PT12H');
    expect(shop.active()).to.have.length(1);
    shop.pass('PT12H');
    expect(shop.reasons()).to.deep.equal(['restarted', 'completed']);
  });

  it('restarts runs of the same key alone', () => {
    const shop = shopWith({ mode: 'restart', per: 'key' });
    for (const cart of ['a', 'b', 'a']) shop.record('started', { cart });
    expect(shop.reasons()).to.deep.equal(['restarted', null, null]);
  });

  it('is possible every time', () => {
    const shop = shopWith({ mode: 'every_time', per: 'profile' });
    for (const cart of ['a', 'a', 'b']) shop.record('started', { cart });
    expect(shop.active()).to.have.length(3);
  });

  for (const mode of ['one_at_a_time', 'restart', 'every_time'] as const) {
    it(`waits for the interval since the last start, ${mode.replaceAll('_', ' ')}`, () => {
      const shop = shopWith({ mode, per: 'profile', min_interval: 'P2D' });
      shop.record('started', { cart: 'a' });
      shop.pass('P2D');
      shop.now -= 1;
      shop.record('started', { cart: 'b' });
      expect(shop.skips().map(({ detail }) => detail)).to.deep.equal([{ freeAt: START + 48 * HOUR }]);
      shop.now += 1;
      shop.record('started', { cart: 'c' });
      expect([...shop.runs.values()].map(({ key }) => key)).to.deep.equal(['a', 'c']);
    });
  }

  it('keeps the run under way where a restart comes too early', () => {
    const shop = shopWith({ mode: 'restart', per: 'profile', min_interval: 'PT6H' });
    shop.record('started', { cart: 'a' });
    shop.pass('PT1H');
    shop.record('started', { cart: 'b' });
    expect(shop.active().map(({ key }) => key)).to.deep.equal(['a']);
  });

  it('is per customer', () => {
    const shop = shopWith({ mode: 'once', per: 'profile' });
    shop.record('started', { cart: 'a' }, { customer: 'ada' });
    shop.record('started', { cart: 'a' }, { customer: 'ben' });
    expect(shop.active().map(({ profileId }) => profileId)).to.deep.equal(['ada', 'ben']);
  });
});
