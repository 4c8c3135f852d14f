import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { holdTable } from '../support/obstacles.ts';
import { Command, until } from '../support/process.ts';
import { builtProgram } from '../support/programs.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'placed_order', profile: { email: 'ada@example.com' } };

describe('The demo command', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  const start = (...args: string[]) =>
    new Command(process.execPath, [builtProgram('scripts/demo.ts'), ...args], { DATABASE_URL: service.database.url });
  const demo = (...args: string[]) => start(...args).ended;
  const count = async (what: string, store: string) => {
    const [row] = await service.database.query<{ n: number }>(
      `select count(*)::int as n from ${what} and store_id = (select id from store where name = '${store}')`,
    );
    return row?.n;
  };

  it('fills a store with three months, prints a key, and refuses a store that has customers', async () => {
    // As after README's first request.
    const other = await service.client();
    await other.post('/v1/events', EVENT, { expect: 201 });
    const { code, stdout, stderr } = await demo();
    expect([code, stderr]).to.deep.equal([0, '']);
    const [key = ''] = /ffk_\w+/.exec(stdout) ?? [];
    const client = new Client(service.url, key);

    const { series } = (await client.get('/v1/events/stats?interval=week', { expect: 200 })).body;
    const orders = series.find(({ event_type }: { event_type: string }) => event_type === 'placed_order');
    // The first and the last week may be hours old.
    for (const count of orders.counts.slice(1, -1)) expect(count).to.be.above(0);
    const [newest] = (await client.get('/v1/events?event_type=viewed_product', { expect: 200 })).body.events;
    const { body: customer } = await client.get(`/v1/profiles/${newest.profile_id}`, { expect: 200 });
    expect(customer.identifiers.email).to.match(/@example\.com$/);
    expect(customer.attributes).to.include.keys('first_name', 'location');
    const { rejections } = (await client.get('/v1/rejections', { expect: 200 })).body;
    expect(new Set(rejections.map(({ code }: { code: string }) => code))).to.include('forbidden');
    const { api_keys } = (await client.get('/v1/api-keys', { expect: 200 })).body;
    expect(api_keys.map(({ name }: { name: string }) => name)).to.include.members(['Web shop', 'Warehouse', 'Reports']);

    const { automations } = (await client.get('/v1/automations', { expect: 200 })).body;
    expect(new Set(automations.map(({ status }: { status: string }) => status))).to.have.keys(
      'live',
      'paused',
      'draft',
    );

    const { campaigns } = (await client.get('/v1/campaigns', { expect: 200 })).body;
    expect(campaigns.map(({ status }: { status: string }) => status)).to.have.members(['sent', 'scheduled', 'draft']);
    const sent = campaigns.find(({ status }: { status: string }) => status === 'sent');
    const stats = (await client.get(`/v1/campaigns/${sent.id}/stats`, { expect: 200 })).body;
    for (const name of ['opened_count', 'clicked_count', 'machine_opened_count', 'hold_out_count', 'order_count']) {
      expect(stats[name], name).to.be.above(0);
    }
    const { messages } = (await client.get(`/v1/campaigns/${sent.id}/messages?status=sent`, { expect: 200 })).body;
    const [message] = messages;
    const mail = (await client.get(`/v1/messages/${message.id}/content`, { expect: 200 })).body;
    expect(mail.html).to.contain('Six things have come in this week');

    const again = await demo();
    expect(again.code).to.equal(1);
    expect(again.stderr).to.match(/^The store "demo" already has customers\./);
    expect(again.stderr).to.match(/^ {2}npm run -s demo -- --more$/m);
    expect(again.stderr).to.match(/^ {2}npm run -s demo -- --store demo-2$/m);
    expect((await other.get('/v1/events', { expect: 200 })).body.events).to.have.length(1);
  });

  it('tells the key first, and what is interrupted goes on where it was, with the same command', async () => {
    const interrupted = async (isSoFar: () => Promise<boolean>) => {
      const command = start('--store', 'halves');
      await until(isSoFar, 'the demo is so far');
      command.signal('SIGKILL');
      const { signal, stdout } = await command.ended;
      expect(signal).to.equal('SIGKILL');
      return /ffk_\w+/.exec(stdout)?.[0] as string;
    };
    const first = await interrupted(async () => ((await count('event where true', 'halves')) ?? 0) > 0);
    const keys = [first];
    for (const table of ['webhook_attempt', 'segment']) {
      const release = await holdTable(service.database, table, 'share');
      try {
        keys.push(await interrupted(() => service.database.isWaiting()));
      } finally {
        await release();
      }
    }
    expect(new Set(keys)).to.have.property('size', 3);

    const { code, stdout, stderr } = await demo('--store', 'halves');
    expect([code, stderr]).to.deep.equal([0, '']);
    const [, key = '', events = ''] = /(ffk_\w+)\n\nGoing on with filling it…\n.* ([\d,]+) events/.exec(stdout) ?? [];
    await new Client(service.url, key).get('/v1/events', { expect: 200 });
    await new Client(service.url, first).get('/v1/events', { expect: 401 });
    const history = "event where idempotency_key like 'demo % event %'";
    expect(await count(history, 'halves')).to.equal(Number(events.replaceAll(',', '')));
    expect(await count('event where idempotency_key is null and source is null', 'halves')).to.equal(0);
    for (const what of [
      ...['api_key', 'rejection', 'consent_change', 'automation', 'automation_version', 'automation_run'],
      ...[
        'list',
        'segment',
        'customer_import',
        'import_error',
        'webhook_endpoint',
        'webhook_delivery',
        'webhook_attempt',
        'campaign',
      ],
    ]) {
      expect(await count(`${what} where true`, 'halves'), what).to.equal(await count(`${what} where true`, 'demo'));
    }
    expect((await demo('--store', 'halves')).stderr).to.match(/^The store "halves" already has customers\./);
  });
});
