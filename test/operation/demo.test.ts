import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { Command } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'placed_order', profile: { email: 'ada@example.com' } };

describe('The demo command', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  const demo = (...args: string[]) =>
    new Command(process.execPath, ['scripts/demo.ts', ...args], { DATABASE_URL: service.database.url }).ended;

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

    const again = await demo();
    expect(again.code).to.equal(1);
    expect(again.stderr).to.match(/^The store "demo" already has customers\./);
    expect(again.stderr).to.match(/^ {2}npm run -s demo -- --more$/m);
    expect(again.stderr).to.match(/^ {2}npm run -s demo -- --store demo-2$/m);
    expect((await other.get('/v1/events', { expect: 200 })).body.events).to.have.length(1);
  });
});
