import { expect } from 'chai';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Merchant, RECEIVABLE } from './support/merchant.ts';
import { Receiver } from './support/receiver.ts';

describe('Endpoints on the machine itself', () => {
  it('are reached by the name localhost where loopback is excepted', async () => {
    const service = await TestService.start(RECEIVABLE);
    const receiver = await Receiver.start();
    try {
      const merchant = await Merchant.open(service);
      const { id } = await merchant.endpoint(receiver.url.replace('127.0.0.1', 'localhost'));
      await merchant.queue(id);
      await merchant.untilAll(id, 'delivered');
      expect(receiver.received).to.have.length(1);
    } finally {
      await receiver[Symbol.asyncDispose]();
      await service.stop();
    }
  });

  it('are refused by that name where it is not, and the answer says which field', async () => {
    const service = await TestService.start({ WEBHOOK_ALLOW_HTTP: '1' });
    try {
      const { client } = await Merchant.open(service);
      const { body } = await client.post<any>(
        '/v1/webhook-endpoints',
        { url: 'http://localhost:3000', name: 'Test' },
        { expect: 400 },
      );
      expect(body.error).to.include({
        field: 'url',
        message: 'url must not lead to a private or reserved address',
      });
      // Of other names only the look-up for a connection tells where they lead.
      await client.post('/v1/webhook-endpoints', { url: 'http://shop:3000', name: 'Test' }, { expect: 201 });
    } finally {
      await service.stop();
    }
  });

  it('are tried for as long as expires_after says, and a last time shortly before', async () => {
    const service = await TestService.start(RECEIVABLE);
    const receiver = await Receiver.start();
    receiver.respond = (response) => response.writeHead(500).end();
    try {
      const merchant = await Merchant.open(service);
      const { id } = await merchant.endpoint(receiver.url);
      const send = { type: 'send_webhook', endpoint_id: id, message_type: 'cart.abandoned', expires_after: 'PT2M' };
      const definition = {
        name: 'Test',
        trigger: { type: 'manual' },
        start: 'send',
        steps: [{ id: 'send', ...send, next: null }],
      };
      const { client } = merchant;
      const { body: automation } = await client.post<any>('/v1/automations', { definition }, { expect: 201 });
      await client.post(`/v1/automations/${automation.id}/publish`, { revision: 1 }, { expect: 200 });
      const profile = { email: 'ada@example.com' };
      await client.post('/v1/profiles/upsert', { identifiers: profile });
      await client.post(`/v1/automations/${automation.id}/runs`, { profile }, { expect: 201 });
      const first = async () => (await merchant.deliveries(id))[0];
      // At once, and after about five seconds.
      await until(
        async () => receiver.received.length === 2 && Date.parse((await first()).next_attempt_at) > Date.now() + 60_000,
        'it has been tried again',
      );
      const { status, next_attempt_at: next, expires_at: end } = await first();
      expect(status).to.equal('pending');
      expect(Date.parse(end) - Date.parse(next)).to.be.within(0, 6_000);
      expect(Date.parse(next) - Date.now()).to.be.greaterThan(90_000);
    } finally {
      await receiver[Symbol.asyncDispose]();
      await service.stop();
    }
  });
});
