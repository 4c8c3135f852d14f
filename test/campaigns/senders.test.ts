import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { takeTurn } from '../../src/domain/campaigns/engine/turn.ts';
import { TestService } from '../support/service.ts';
import { addresses, Campaigns } from './support/campaigns.ts';

const LATER = '2035-01-01T08:00:00Z';

describe('The sender of a campaign', () => {
  let service: TestService;
  let database: Database;
  let campaigns: Campaigns;
  let sender: string;

  before(async () => {
    // Neither campaigns nor messages go on by themselves.
    service = await TestService.start({
      MESSAGE_CONCURRENCY: '0',
      AUTOMATION_CONCURRENCY: '0',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    });
    database = await openDatabase(service.database.url, 1);
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
    sender = await campaigns.shop.relay(25);
  });
  after(async () => {
    await database.close();
    await service.stop();
  });

  async function begin(id: string): Promise<void> {
    await campaigns.shop.query(
      `update campaign set scheduled_at = now(), due_at = now() - interval '1 second' where id = '${id}'`,
    );
    while (await takeTurn(database.sql, campaigns.shop.storeId, id, { isStopping: () => false }));
    expect((await campaigns.get(id)).status).to.equal('sending');
  }

  const remove = (expected: number, query = '') =>
    campaigns.shop.client.send<any>('DELETE', `/v1/senders/${sender}${query}`, undefined, { expect: expected });

  it('is not deleted before it has found its recipients', async () => {
    const id = await campaigns.draft(await campaigns.list(addresses(1)), { sender_id: sender });
    await campaigns.schedule(id, LATER);
    for (const status of ['scheduled', 'preparing', 'paused', 'held']) {
      await campaigns.shop.query(`update campaign set status = '${status}' where id = '${id}'`);
      const { message } = (await remove(400, '?fail_waiting=true')).body.error;
      expect(message).to.equal(`The sender is used by the campaign ${id} (We have moved); cancel that first`);
    }
    await campaigns.shop.query(`update campaign set status = 'scheduled' where id = '${id}'`);
    await begin(id);
    expect((await remove(400)).body.error.field).to.equal('fail_waiting');
    await remove(200, '?fail_waiting=true');
  });

  it('is not deleted either where one of its variants has it', async () => {
    const other = await campaigns.shop.relay(25);
    const variants = [{ sender_id: sender }, { sender_id: other }];
    const test = { variants, percent: 50, decide_by: 'clicks', after: 'PT4H', if_unclear: 'first' };
    const id = await campaigns.draft(await campaigns.list(), { sender_id: other, test });
    await campaigns.schedule(id, LATER);
    await remove(400);
    await campaigns.setStatus(id, 'cancelled');
    await remove(200);
  });

  it('is not deleted while it may win a test, whose rest would have nothing to be sent by', async () => {
    const other = await campaigns.shop.relay(25);
    const variants = [{ sender_id: other }, { sender_id: sender }];
    const test = { variants, percent: 50, decide_by: 'clicks', after: 'PT4H', if_unclear: 'first' };
    const id = await campaigns.draft(await campaigns.list(addresses(8)), { sender_id: other, test });
    await campaigns.schedule(id, LATER);
    await begin(id);
    await campaigns.shop.query(`update message set status = 'sent', due_at = null where sender_id = '${sender}'`);
    expect((await remove(400)).body.error.message).to.include(`The sender is used by the campaign ${id}`);
    await campaigns.setStatus(id, 'cancelled');
    await remove(200);
  });

  it('says in the results why it does not send', async () => {
    const id = await campaigns.draft(await campaigns.list(addresses(1)), { sender_id: sender });
    await campaigns.schedule(id, LATER);
    await begin(id);
    expect((await campaigns.stats(id)).why_not).to.equal(null);
    const now = async (change: string) => {
      await campaigns.shop.query(`update sender set ${change} where id = '${sender}'`);
      return (await campaigns.stats(id)).why_not?.cause;
    };
    expect(await now('day = current_date, sent_today = 5, max_per_day = 5')).to.equal('sender_daily_limit');
    expect(await now('max_per_day = null, checks = null')).to.equal('sender_not_checked');
    await campaigns.setStatus(id, 'paused');
    expect((await campaigns.stats(id)).why_not).to.equal(null);
  });
});
