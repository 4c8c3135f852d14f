import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { Command } from '../support/process.ts';
import { builtProgram } from '../support/programs.ts';
import { TestService } from '../support/service.ts';

describe('The erase command', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    const storeId = await service.newStore('shop');
    client = new Client(service.url, (await service.newKey({ storeId })).key);
  });
  after(() => service.stop());

  const erase = (...args: string[]) =>
    new Command(process.execPath, [builtProgram('scripts/erase.ts'), ...args], { DATABASE_URL: service.database.url })
      .ended;

  it('erases a customer beside the service, and prints the proof', async () => {
    await client.post('/v1/events', { event_type: 'visit', profile: { email: 'ada@example.com' } }, { expect: 201 });
    const { code, stdout, stderr } = await erase('--email', 'Ada@example.com', '--store', 'shop', '--json');
    expect([code, stderr]).to.deep.equal([0, '']);
    const { id, profile_found, tables } = JSON.parse(stdout);
    expect(profile_found).to.equal(true);
    expect(tables).to.include({ profile: 1, profile_identifier: 1, event: 1 });
    const { body } = await client.get(`/v1/erasures/${id}`, { expect: 200 });
    expect(body).to.include({ status: 'complete', requested_by: null });
    expect((await client.get('/v1/events', { expect: 200 })).body.events).to.deep.equal([]);
  });

  it('says what it lacks', async () => {
    for (const [args, message] of [
      [[], /^Usage:/],
      [['--email', 'ada'], /^--email must be an e-mail address/],
      [['--email', 'ada@example.com', '--store', 'none'], /^There is no store "none"/],
      [['--external-id', 'x', '--suppress-days', '-1'], /suppress-days/],
    ] as const) {
      const { code, stderr } = await erase(...args);
      expect([code, stderr]).to.deep.equal([1, stderr]);
      expect(stderr).to.match(message);
    }
  });
});
