import { expect } from 'chai';
import { saveMessageSettings, USUAL_SETTINGS } from '../support/message-settings.ts';
import { TestService } from '../support/service.ts';
import { Earnings } from './support/earnings.ts';

const [ADA, EVE] = ['ada@shop.example', 'eve@shop.example'];
const DAY_MS = 86_400_000;
const time = (ms: number) => new Date(ms).toISOString();

let service: TestService;
let earnings: Earnings;

before(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  earnings = await Earnings.open(service);
  await earnings.shop.customer(ADA);
});
after(() => service.stop());

const rule = (fields: object) =>
  saveMessageSettings(earnings.shop.client, { attribution: { ...USUAL_SETTINGS.attribution, ...fields } }, 200);

describe('An order', () => {
  it('is credited to the message of which its customer followed a link before', async () => {
    await earnings.shop.customer(EVE);
    const id = await earnings.send(ADA);
    await earnings.order(ADA, { value: 10, currency: 'EUR' }, { occurred_at: time(Date.now() - DAY_MS) });
    await earnings.click(id);
    await earnings.order(EVE, { value: 5, currency: 'EUR' });
    await earnings.order(ADA, { order_id: 'A-1', value: 59.9, currency: 'EUR' });
    expect(await earnings.report()).to.deep.include({
      order_count: 1,
      revenue: [{ currency: 'EUR', order_count: 1, amount: '59.9', refunded_amount: '0' }],
      is_cut: false,
    });
    const day = time(Date.now()).slice(0, 10);
    const { template_id } = await earnings.shop.message(id);
    const nothing = { source: null, source_id: null, step_id: null, template_id: null, variant: null, date: null };
    const sums = {
      order_count: 1,
      revenue: [{ currency: 'EUR', order_count: 1, amount: '59.9', refunded_amount: '0' }],
    };
    const groups = async (by: string) => (await earnings.report(`group_by=${by}`)).groups;
    expect(await groups('source')).to.deep.equal([{ ...nothing, source: 'request', ...sums }]);
    expect(await groups('template')).to.deep.equal([{ ...nothing, template_id, ...sums }]);
    const [ofDay] = await groups('day');
    expect([day, time(Date.now()).slice(0, 10)]).to.include(ofDay.date);
    for (const by of ['campaign', 'automation', 'step']) expect(await groups(by)).to.deep.equal([]);
  });

  it('is credited to the very first click of a store, however soon it comes after that', async () => {
    const id = await earnings.send(ADA);
    await earnings.hit(id);
    await earnings.order(ADA, { value: 1, currency: 'EUR' });
    await earnings.judge(id);
    expect(await earnings.earned()).to.deep.equal(['1 of 1 EUR']);
  });

  it('is not seen by another store', async () => {
    await earnings.click(await earnings.send(ADA));
    await earnings.order(ADA, { value: 1, currency: 'EUR' });
    expect(await earnings.earned()).to.deep.equal(['1 of 1 EUR']);
    expect(await (await Earnings.open(service)).earned()).to.deep.equal([]);
  });

  it('is credited to the last of several messages', async () => {
    const [first, second] = [await earnings.send(ADA), await earnings.send(ADA)];
    await earnings.click(first);
    const ofSecond = await earnings.click(second);
    const again = await earnings.click(first, undefined, 1);
    await earnings.order(ADA, { value: 1, currency: 'EUR' }, { occurred_at: time(ofSecond) });
    await earnings.order(ADA, { value: 2, currency: 'EUR' }, { occurred_at: time(again) });
    expect(await earnings.byMessage([first, second])).to.deep.equal([['1 of 2 EUR'], ['1 of 1 EUR']]);
  });

  it('is credited within the window after a click, to the millisecond', async () => {
    const at = await earnings.click(await earnings.send(ADA));
    await earnings.order(ADA, { value: 1, currency: 'EUR' }, { occurred_at: time(at) });
    await earnings.order(ADA, { value: 2, currency: 'EUR' }, { occurred_at: time(at + 5 * DAY_MS) });
    await earnings.order(ADA, { value: 4, currency: 'EUR' }, { occurred_at: time(at + 5 * DAY_MS + 1) });
    await earnings.order(ADA, { value: 8, currency: 'EUR' }, { occurred_at: time(at - 1) });
    expect(await earnings.earned()).to.deep.equal(['2 of 3 EUR']);
  });

  it('is credited by the windows that held when it was recorded', async () => {
    const at = await earnings.click(await earnings.send(ADA));
    const occurred_at = time(at + 7 * DAY_MS);
    await earnings.order(ADA, { value: 1, currency: 'EUR' }, { occurred_at });
    await earnings.settled();
    await rule({ click_window: 'P1W' });
    await earnings.order(ADA, { value: 2, currency: 'EUR' }, { occurred_at });
    expect(await earnings.earned()).to.deep.equal(['1 of 2 EUR']);
    await rule({ click_window: 'PT1H' });
    await earnings.order(ADA, { value: 4, currency: 'EUR' }, { occurred_at });
    expect(await earnings.earned()).to.deep.equal(['1 of 2 EUR']);
  });

  it('is credited to a click before it that becomes known after it', async () => {
    const [first, second] = [await earnings.send(ADA), await earnings.send(ADA)];
    await earnings.click(first);
    await earnings.hit(second);
    await earnings.order(ADA, { value: 1, currency: 'EUR' });
    expect(await earnings.byMessage([first, second])).to.deep.equal([['1 of 1 EUR'], []]);
    await earnings.judge(second);
    expect(await earnings.byMessage([first, second])).to.deep.equal([[], ['1 of 1 EUR']]);
    // One that was not the last does not change it.
    await earnings.shop.query(
      `update message_hit set hit_at = hit_at - interval '1 hour' where message_id = '${first}'`,
    );
    await earnings.hit(first, 1);
    await earnings.shop.query(
      `update message_hit set hit_at = hit_at - interval '1 hour' where message_id = '${first}'`,
    );
    expect(await earnings.byMessage([first, second])).to.deep.equal([[], ['1 of 1 EUR']]);
  });

  it('is not credited to what programs follow', async () => {
    const id = await earnings.send(ADA);
    await earnings.click(id, { 'User-Agent': 'curl/8.0' });
    await earnings.click(await earnings.send(ADA));
    await earnings.order(ADA, { value: 1, currency: 'EUR' });
    expect(await earnings.byMessage([id])).to.deep.equal([[]]);
    expect(await earnings.earned()).to.deep.equal(['1 of 1 EUR']);
  });

  it('is not credited where a store says that it is historical', async () => {
    await earnings.click(await earnings.send(ADA));
    await earnings.order(ADA, { value: 1, currency: 'EUR' }, { backfill: true });
    await earnings.order(ADA, { value: 2, currency: 'EUR' });
    expect(await earnings.earned()).to.deep.equal(['1 of 2 EUR']);
  });

  it('is one of the types that the store names', async () => {
    await rule({ conversion_types: ['booked', 'renewed'], refund_types: [] });
    await earnings.click(await earnings.send(ADA));
    for (const event_type of ['booked', 'renewed', 'placed_order', 'refunded_order']) {
      await earnings.order(ADA, { order_id: event_type, value: 1, currency: 'EUR' }, { event_type });
    }
    await earnings.order(ADA, { order_id: 'booked', value: 1 }, { event_type: 'refunded_order' });
    expect(await earnings.earned()).to.deep.equal(['2 of 2 EUR']);
  });
});

describe('An open', () => {
  it('earns nothing, unless the store says so, and then only where nobody has clicked', async () => {
    const id = await earnings.send(ADA);
    const at = await earnings.look(id);
    await earnings.order(ADA, { value: 1, currency: 'EUR' }, { occurred_at: time(at) });
    expect(await earnings.earned()).to.deep.equal([]);
    await rule({ open_window: 'P1D' });
    const [opened, clicked] = [await earnings.send(ADA), await earnings.send(ADA)];
    const openedAt = await earnings.look(opened);
    await earnings.order(ADA, { value: 2, currency: 'EUR' }, { occurred_at: time(openedAt) });
    await earnings.order(ADA, { value: 4, currency: 'EUR' }, { occurred_at: time(openedAt + DAY_MS) });
    await earnings.order(ADA, { value: 8, currency: 'EUR' }, { occurred_at: time(openedAt + DAY_MS + 1) });
    expect(await earnings.byMessage([id, opened, clicked])).to.deep.equal([[], ['2 of 6 EUR'], []]);
    const clickedAt = await earnings.click(clicked);
    const last = await earnings.send(ADA);
    expect(await earnings.look(last)).to.be.above(clickedAt);
    await earnings.order(ADA, { value: 16, currency: 'EUR' });
    // Two orders are later than the click, too, which became known after them.
    expect(await earnings.byMessage([opened, clicked, last])).to.deep.equal([['1 of 2 EUR'], ['3 of 28 EUR'], []]);
  });
});

describe('A store of which nobody has followed a link', () => {
  it('has nobody read its changes, and again once that is long ago', async () => {
    const readers = () =>
      earnings.shop.query(
        `select from feed_reader where store_id = '${earnings.shop.storeId}' and name = 'attribution'`,
      );
    await earnings.send(ADA);
    await earnings.order(ADA, { value: 1, currency: 'EUR' });
    expect(await readers()).to.have.length(0);
    await earnings.click(await earnings.send(ADA));
    await earnings.settled();
    expect(await readers()).to.have.length(1);
    for (const table of ['message_touch', 'message_hit']) {
      await earnings.shop.query(`delete from ${table} where store_id = '${earnings.shop.storeId}'`);
    }
    await earnings.order(ADA, { value: 1, currency: 'EUR' });
    await earnings.settled();
    expect(await readers()).to.have.length(0);
  });
});
