import { expect } from 'chai';
import { ScriptedServer } from '../senders/support/scripted-server.ts';
import { Metrics } from '../support/metrics.ts';
import { createUndividedDatabase } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

const ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', PUBLIC_URL: 'https://mail.shop.example' };
const ADA = 'ada@example.com';

describe('Metrics of messages', () => {
  let service: TestService;
  let shop: Shop;
  let template: string;
  let relay: ScriptedServer;

  before(async () => {
    service = await TestService.start(ENV, await createUndividedDatabase());
    shop = await Shop.open(service);
    template = await shop.template();
    await shop.customer(ADA);
    relay = await ScriptedServer.start();
  });
  after(async () => {
    await relay[Symbol.asyncDispose]();
    await service.stop();
  });

  const value = async (name: string) => (await Metrics.of(service.url)).sum(`footfall_${name}`);
  const untilIt = (name: string, expected: number) =>
    until(async () => (await value(name)) === expected, `${name} is ${expected}`);
  const NAMES = ['messages_waiting', 'message_lag_seconds', 'senders_resting', 'messages_stranded'];

  it('begin at zero, and are zero once all is sent', async () => {
    for (const name of NAMES) expect(await value(name), name).to.equal(0);
    const sender = await shop.relay(relay.port);
    await shop.ended(await shop.send(template, ADA, { sender_id: sender }));
    for (const name of NAMES) expect(await value(name), name).to.equal(0);
  });

  it('show what waits for a sender that rests, which is no lag', async () => {
    const sender = await shop.relay(relay.port);
    await shop.query(`update sender set resting_until = now() + interval '1 hour' where id = '${sender}'`);
    await shop.send(template, ADA, { sender_id: sender });
    await shop.query(`update message set due_at = now() - interval '1 hour' where sender_id = '${sender}'`);
    await untilIt('messages_waiting', 1);
    expect(await value('senders_resting')).to.equal(1);
    expect(await value('message_lag_seconds')).to.equal(0);
    await shop.query(`update sender set resting_until = null where id = '${sender}'`);
    await untilIt('messages_waiting', 0);
    expect(await value('senders_resting')).to.equal(0);
  });

  it('show how late messages are, and those that nobody goes on with', async () => {
    const sender = await shop.relay(relay.port);
    const id = await shop.send(template, ADA, { sender_id: sender, send_at: '2035-01-01T00:00:00Z' });
    await shop.query(`update message set status = 'claimed' where id = '${id}'`);
    expect(await value('message_lag_seconds')).to.equal(0);
    expect(await value('messages_stranded')).to.equal(0);
    await shop.query(`update message set due_at = null where id = '${id}'`);
    await untilIt('messages_stranded', 1);
    // Nobody takes it, as its sender has no room.
    await shop.query(`update sender set max_concurrent = 0 where id = '${sender}'`);
    await shop.query(`update message set due_at = now() - interval '1 hour' where id = '${id}'`);
    await until(async () => ((await value('message_lag_seconds')) as number) >= 3_600, 'the lag is an hour');
    expect(await value('messages_stranded')).to.equal(1);
    await shop.query(`update sender set max_concurrent = 4 where id = '${sender}'`);
    await untilIt('messages_stranded', 0);
  });
});
