import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('An order that two customers tell of', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    client = await service.client();
  });
  after(() => service.stop());

  const tell = (event_type: string, profile: object, properties: object = {}) =>
    client.post<any>(
      '/v1/events',
      { event_type, profile, properties: { order_id: '2001', value: 100, currency: 'EUR', ...properties } },
      { expect: 201 },
    );
  const orders = async () => (await client.get<any>('/v1/orders', { expect: 200 })).body.orders;
  const read = (isSo: (order: any) => boolean) =>
    until(async () => {
      const [order] = await orders();
      return order !== undefined && isSo(order);
    }, 'the events are read');

  it('is that of the other when one of them is erased, whose events count in it as before', async () => {
    const stays = { phone: '+4915112345678' };
    await tell('placed_order', { email: 'goes@shop.example' });
    const { body: second } = await tell('placed_order', stays);
    await read(({ event_count }) => event_count === 2);
    const erasure = { email: 'goes@shop.example', events: 'anonymise' };
    const { body: begun } = await client.post<any>('/v1/erasures', erasure, { expect: 202 });
    await until(async () => {
      const { body } = await client.get<any>(`/v1/erasures/${begun.id}`, { expect: 200 });
      return body.status === 'complete';
    }, 'the customer is erased');
    await tell('placed_order', stays);
    await tell('refunded_order', stays, { value: 30 });
    await read(({ refunded_amount }) => refunded_amount !== '0');
    const [order, ...others] = await orders();
    expect(others).to.deep.equal([]);
    expect(order).to.include({ id: '2001', profile_id: second.profile_id, amount: '100', refunded_amount: '30' });
  });
});
