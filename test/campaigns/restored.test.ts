import { expect } from 'chai';
import pg from 'pg';
import { holdAutomations } from '../../src/backup/hold-automations.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { addresses, Campaigns } from './support/campaigns.ts';

describe('Campaigns of a restored copy', () => {
  let database: TestDatabase;
  let service: TestService;

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' }, database);
  });
  after(() => service.stop());

  it('are held, and somebody decides about each once the copy is released', async () => {
    const campaigns = await Campaigns.open(service);
    const { storeId } = campaigns.shop;
    const list = await campaigns.list(addresses(2));
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      ids.push(await campaigns.draft(list));
      if (i < 2) await campaigns.schedule(ids[i] as string, '2035-01-01T08:00:00Z');
    }
    const [scheduled, begun, draft] = ids as [string, string, string];
    await campaigns.shop.query(`
      update campaign set status = 'sending', started_at = now(), prepared_at = now(), due_at = now()
      where id = '${begun}'`);
    // As a restore does, at its end.
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await holdAutomations(client);
    await client.end();
    const statuses = await Promise.all(ids.map(async (id) => (await campaigns.get(id)).status));
    expect(statuses).to.deep.equal(['held', 'held', 'draft']);
    const { error } = await campaigns.put(begun, '/status', { status: 'sending' }, 400);
    expect(error.message).to.include('until the operator releases it');
    await campaigns.shop.query(`delete from automation_hold where store_id = '${storeId}'`);
    expect((await campaigns.get(begun)).status).to.equal('held');
    expect((await campaigns.setStatus(begun, 'sending')).status).to.equal('sending');
    expect((await campaigns.setStatus(scheduled, 'draft')).status).to.equal('draft');
    expect((await campaigns.get(draft)).status).to.equal('draft');
  });
});
