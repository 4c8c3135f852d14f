import { expect } from 'chai';
import pg from 'pg';
import { createUndividedDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { addresses, Campaigns } from './support/campaigns.ts';

describe('The estimate of a campaign', () => {
  let service: TestService;
  let campaigns: Campaigns;

  before(async () => {
    const env = {
      MESSAGE_CONCURRENCY: '0',
      AUTOMATION_CONCURRENCY: '0',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: '1',
    };
    service = await TestService.start(env, await createUndividedDatabase());
    campaigns = await Campaigns.open(service);
  });
  after(() => service.stop());

  const check = async (id: string, expected: number) =>
    (await campaigns.shop.client.send<any>('POST', `/v1/campaigns/${id}/check`, undefined, { expect: expected })).body;

  it('is that of those who were found, where hardly any of an audience are drawn from the store', async () => {
    const list = await campaigns.list(addresses(2));
    // Deleted customers, of whom none can be drawn.
    await campaigns.shop.query(`
      insert into list_member (store_id, list_id, profile_id, joined_at, how)
      select '${campaigns.shop.storeId}', '${list}', ('ffffffff-ffff-7fff-bfff-' || lpad(to_hex(n), 12, '0'))::uuid, now(), 'api'
      from generate_series(1, 20500) n`);
    const { estimate } = await check(await campaigns.draft(list), 200);
    expect(estimate.audience_count).to.equal(20_001);
    expect(estimate.evaluated_count).to.be.greaterThan(300);
    expect(estimate.included_count).to.be.below(2_000);
  });

  it('or what is read after it for a check takes too long is a 502', async () => {
    const { id: sender_id } = await campaigns.shop.texter('http://127.0.0.1:9/texts');
    const template_id = await campaigns.shop.template({ kind: 'sms', subject: '', body: 'Hi. {{ unsubscribe_url }}' });
    const id = await campaigns.draft(await campaigns.list(), { channel: 'sms', template_id, sender_id });
    await check(id, 200);
    const blocker = new pg.Client({ connectionString: service.database.url });
    await blocker.connect();
    try {
      await blocker.query('begin; lock table webhook_endpoint in access exclusive mode');
      expect((await check(id, 502)).error.code).to.equal('upstream_error');
    } finally {
      await blocker.end();
    }
    await check(id, 200);
  });
});
