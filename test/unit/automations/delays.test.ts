import { expect } from 'chai';
import { iso } from '../../../src/domain/time/local.ts';
import { automation, chain, delay, mark } from './support/definitions.ts';
import { Shop } from './support/shop.ts';

const dueAt = (shop: Shop) => shop.active().map((run) => iso(run.dueAt as number));

describe('a delay', () => {
  it('lasts as long as it says, from when the run comes to it', () => {
    const shop = new Shop(automation({ steps: chain(delay('one', 'PT1H'), delay('two', 'P1D'), mark('done')) }));
    shop.record('started');
    expect(dueAt(shop)).to.deep.equal(['2026-03-02T11:00:00.000Z']);
    shop.pass('PT1H');
    expect(dueAt(shop)).to.deep.equal(['2026-03-03T11:00:00.000Z']);
    shop.pass('PT24H');
    expect(shop.attributes()).to.deep.equal({ done: true });
  });

  it('keeps its distance to the next one, where runs are taken late', () => {
    const shop = new Shop(automation({ steps: chain(delay('one', 'PT1H'), delay('two', 'PT1H')) }), { manual: true });
    shop.record('started');
    shop.settle();
    shop.pass('PT3H');
    shop.settle();
    expect(dueAt(shop)).to.deep.equal(['2026-03-02T14:00:00.000Z']);
  });

  const untilTen = (weekdays?: string[]) =>
    chain({ id: 'd', type: 'delay', until: { at: '10:00', ...(weekdays ? { weekdays } : {}) } });

  it("lasts until a time of day by the customer's clock", () => {
    const time_zone = { attribute: 'zone', default: 'UTC' };
    const shop = new Shop(automation({ steps: untilTen(), time_zone }), { attributes: { zone: 'America/New_York' } });
    shop.record('started');
    expect(dueAt(shop)).to.deep.equal(['2026-03-02T15:00:00.000Z']);
    expect(shop.timeline.at(-1)).to.deep.include({ outcome: 'delayed', timeZone: 'America/New_York' });
  });

  it('lasts until a weekday', () => {
    const shop = new Shop(automation({ steps: untilTen(['sat', 'sun']) }));
    shop.record('started');
    expect(dueAt(shop)).to.deep.equal(['2026-03-07T10:00:00.000Z']);
  });

  it('is over at once if it is that time', () => {
    const shop = new Shop(automation({ steps: untilTen(['mon']) }));
    shop.record('started');
    expect(shop.reasons()).to.deep.equal(['completed']);
  });

  it('says where it did not know the time zone of a customer', () => {
    const time_zone = { attribute: ['address', 'zone'], default: 'Europe/Berlin' };
    const shop = new Shop(automation({ steps: untilTen(), time_zone }), {
      attributes: { address: { zone: 'Narnia' } },
    });
    shop.record('started');
    expect(shop.timeline.at(-1)).to.deep.include({ timeZone: 'Europe/Berlin', unknownTimeZone: 'Narnia' });
  });
});
