import { expect } from 'chai';
import { ScriptedServer } from '../senders/support/scripted-server.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

const CONCURRENCY = 16;
const ADA = 'ada@shop.example';

describe('Messages of one store', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      PUBLIC_URL: 'https://mail.shop.example',
      MESSAGE_CONCURRENCY: String(CONCURRENCY),
    });
  });
  after(() => service.stop());

  it('are sent while the relays of another store take what they are sent, and never answer', async () => {
    await using hanging = await ScriptedServer.start((verb) => (verb === '.' ? null : undefined));
    const others = await Shop.open(service);
    await others.customer(ADA);
    const theirs = await others.template({ class: 'transactional' });
    const waiting: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      const sender_id = await others.relay(hanging.port);
      for (let n = 0; n < CONCURRENCY; n += 1) waiting.push(await others.send(theirs, ADA, { sender_id }));
    }
    await until(() => hanging.messages.length >= CONCURRENCY / 2, 'the relays have what the store may have under way');

    await using relay = await ScriptedServer.start();
    const shop = await Shop.open(service);
    await shop.customer(ADA);
    const template = await shop.template();
    const sender_id = await shop.relay(relay.port);
    const sent: string[] = [];
    for (let n = 0; n < CONCURRENCY; n += 1) sent.push(await shop.send(template, ADA, { sender_id }));
    for (const id of sent) expect((await shop.ended(id)).status).to.equal('sent');
    const statuses = await Promise.all(waiting.map(async (id) => (await others.message(id)).status));
    expect(statuses).to.not.include('sent');
    hanging.drop();
  });
});
