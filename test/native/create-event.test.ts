import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

describe('POST /v1/events', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    client = await service.client();
  });
  after(() => service.stop());

  it('records an event and answers with it', async () => {
    const before = Date.now();
    const { body } = await client.post(
      '/v1/events',
      {
        event_type: 'placed_order',
        profile: { email: 'ada@example.com' },
        properties: { order_id: 'o1', value: 59.9 },
      },
      { expect: 201 },
    );
    expect(body).to.include({ event_type: 'placed_order', idempotency_key: null });
    expect(body.properties).to.deep.equal({ order_id: 'o1', value: 59.9 });
    expect(Date.parse(body.received_at)).to.be.within(before, Date.now());
    expect(body.occurred_at).to.equal(body.received_at);
    expect(await service.database.query(`select id from event where id = '${body.id}'`)).to.have.length(1);
  });
});
