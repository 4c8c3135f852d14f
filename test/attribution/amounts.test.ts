import { expect } from 'chai';
import { TestService } from '../support/service.ts';
import { Earnings } from './support/earnings.ts';

const ADA = 'ada@shop.example';

let service: TestService;
let earnings: Earnings;

before(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  earnings = await Earnings.open(service);
  await earnings.shop.customer(ADA);
  await earnings.click(await earnings.send(ADA));
});
after(() => service.stop());

describe('The value of an order', () => {
  it('is exact, and not added to those of other currencies', async () => {
    for (const [value, currency] of [
      ...[
        [0.1, 'EUR'],
        [0.2, 'eur'],
        ['19.99', 'EUR'],
        [1_000, 'JPY'],
        ['1e2', 'JPY'],
        [12.345678, 'KWD'],
      ],
      ...[
        [0.5, null],
        ['0.25', 'euros'],
        [1, 7],
      ],
    ] as const) {
      await earnings.order(ADA, { value, currency });
    }
    const earned = ['3 of 20.29 EUR', '3 of 1.75 null', '2 of 1100 JPY', '1 of 12.345678 KWD'];
    expect(await earnings.earned()).to.deep.equal(earned);
  });

  it('is nothing where it can not be read, and the order counts', async () => {
    for (const value of ['12,50', -5, 1e300, null, [3], true, 'NaN', '', '1'.repeat(40)]) {
      await earnings.order(ADA, { value, currency: 'EUR' });
    }
    await earnings.order(ADA, { currency: 'EUR' });
    expect(await earnings.earned()).to.deep.equal(['10 of 0 EUR']);
  });

  it('is that of the names which clients of Klaviyo use', async () => {
    await earnings.order(ADA, { OrderId: 'K-1', $value: 30, $currency_code: 'USD' });
    await earnings.refund(ADA, { OrderId: 'K-1', $value: 10 });
    expect(await earnings.earned()).to.deep.equal(['1 of 20 USD less 10']);
  });

  it('is where the settings of the store for orders say', async () => {
    const orders = { order_id_properties: ['cart.id'], amount_properties: ['total'], currency_properties: ['money'] };
    const headers = { 'Content-Type': 'application/json' };
    await earnings.shop.client.send('PATCH', '/v1/store', JSON.stringify({ orders }), { headers, expect: 200 });
    await earnings.order(ADA, { cart: { id: 'A-1' }, total: 30, money: 'USD', value: 1, currency: 'EUR' });
    await earnings.order(ADA, { cart: { id: 'A-1' }, total: 30, money: 'USD' });
    await earnings.refund(ADA, { cart: { id: 'A-1' }, total: 10 });
    expect(await earnings.earned()).to.deep.equal(['1 of 20 USD less 10']);
  });

  it('counts once, however often it is recorded under the id of the order', async () => {
    const key = { idempotency_key: 'A-1' };
    const first = await earnings.order(ADA, { order_id: 'A-1', value: 10, currency: 'EUR' }, key);
    expect(await earnings.order(ADA, { order_id: 'A-1', value: 10, currency: 'EUR' }, key)).to.equal(first);
    await earnings.order(ADA, { order_id: 'A-1', value: 12, currency: 'EUR' });
    expect(await earnings.earned()).to.deep.equal(['1 of 10 EUR']);
    await earnings.order(ADA, { order_id: 'A-1', value: 14, currency: 'EUR' });
    // A number and its text are the same id; an id that is too long is none.
    for (const order_id of [7, '7', 'x'.repeat(256), 'x'.repeat(256)]) {
      await earnings.order(ADA, { order_id, value: 100, currency: 'EUR' });
    }
    expect(await earnings.earned()).to.deep.equal(['4 of 310 EUR']);
  });
});

describe('A refund', () => {
  const order = (order_id: string, value = 100) => earnings.order(ADA, { order_id, value, currency: 'EUR' });

  it('reduces its order, several together to nothing at the least', async () => {
    await order('A-1');
    await earnings.refund(ADA, { order_id: 'A-1', value: 30.5 });
    expect(await earnings.earned()).to.deep.equal(['1 of 69.5 EUR less 30.5']);
    await earnings.refund(ADA, { order_id: 'A-1', value: -20, currency: 'EUR' });
    expect(await earnings.earned()).to.deep.equal(['1 of 49.5 EUR less 50.5']);
    await earnings.refund(ADA, { order_id: 'A-1', value: 70 });
    await earnings.refund(ADA, { order_id: 'A-1', value: 70 });
    expect(await earnings.earned()).to.deep.equal(['1 of 0 EUR less 100']);
  });

  it('is of the whole order where it has no value, also after a part', async () => {
    await order('A-1');
    await earnings.refund(ADA, { order_id: 'A-1', value: 30 });
    await earnings.refund(ADA, { order_id: 'A-1' });
    await earnings.refund(ADA, { order_id: 'A-1' });
    expect(await earnings.earned()).to.deep.equal(['1 of 0 EUR less 100']);
  });

  it('counts once, however often it is sent with its idempotency key', async () => {
    await order('A-1');
    for (let i = 0; i < 2; i += 1) {
      await earnings.refund(ADA, { order_id: 'A-1', value: 30 }, { idempotency_key: 'refund-1' });
    }
    expect(await earnings.earned()).to.deep.equal(['1 of 70 EUR less 30']);
  });

  it('counts when it comes before its order, and is in no report without it', async () => {
    await earnings.refund(ADA, { order_id: 'A-1', value: 30, currency: 'EUR' });
    await earnings.refund(ADA, { order_id: 'A-2', value: 30, currency: 'USD' });
    expect(await earnings.earned()).to.deep.equal([]);
    await order('A-1');
    await order('A-2', 10);
    expect(await earnings.earned()).to.deep.equal(['2 of 80 EUR less 30']);
  });

  it('of another currency, of no order or of an amount that can not be read changes nothing', async () => {
    await order('A-1');
    await earnings.refund(ADA, { order_id: 'A-1', value: 30, currency: 'USD' });
    await earnings.refund(ADA, { order_id: 'A-1', value: '30,00' });
    await earnings.refund(ADA, { value: 30 });
    await earnings.refund(ADA, { order_id: 'A-9', value: 30 });
    expect(await earnings.earned()).to.deep.equal(['1 of 100 EUR']);
  });
});
