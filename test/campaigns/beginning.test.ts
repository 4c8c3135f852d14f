import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { takeTurn } from '../../src/domain/campaigns/engine/turn.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { addresses, Campaigns } from './support/campaigns.ts';

const LATER = '2035-01-01T08:00:00Z';

describe('A campaign whose time has come', () => {
  let service: TestService;
  let database: Database;
  let campaigns: Campaigns;

  before(async () => {
    // Neither campaigns nor segments go on by themselves.
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0', AUTOMATION_CONCURRENCY: '0' });
    database = await openDatabase(service.database.url, 1);
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
  });
  after(async () => {
    await database.close();
    await service.stop();
  });

  /** What becomes of it so many minutes after its time. */
  async function comes(id: string, minutes = 0): Promise<{ status: string; reason: string | null }> {
    await campaigns.shop.query(`
      update campaign set scheduled_at = now() - interval '${minutes} minutes', due_at = now() where id = '${id}'`);
    while (await takeTurn(database.sql, campaigns.shop.storeId, id, { isStopping: () => false }));
    const { status, reason } = await campaigns.get(id);
    return { status, reason };
  }

  it('is sent with the version that it was scheduled with, though its template was archived', async () => {
    const template_id = await campaigns.shop.template();
    const other = await campaigns.shop.template({ subject: 'Moved' });
    const variants = [{ template_id }, { template_id: other }];
    const test = { variants, percent: 50, decide_by: 'clicks', after: 'PT4H', if_unclear: 'first' };
    const id = await campaigns.draft(await campaigns.list(), { template_id, test });
    await campaigns.schedule(id, LATER);
    for (const one of [template_id, other]) {
      await campaigns.shop.client.send('POST', `/v1/templates/${one}/archive`, undefined, { expect: 200 });
    }
    expect(await comes(id)).to.deep.equal({ status: 'sent', reason: null });
    const another = await campaigns.draft(await campaigns.list(), { template_id });
    const { revision } = await campaigns.get(another);
    await campaigns.shop.client.post(`/v1/campaigns/${another}/schedule`, { revision }, { expect: 400 });
  });

  it('goes on with a message that somebody else held as the others were let go on', async () => {
    const id = await campaigns.draft(await campaigns.list(addresses(1)));
    await campaigns.schedule(id, LATER);
    expect((await comes(id)).status).to.equal('sending');
    await campaigns.shop.query(`update message set due_at = 'infinity' where source_id = '${id}'`);
    const isDue = `select from message where source_id = '${id}' and due_at <= now() + interval '1 second'`;
    // The service takes turns at it, too.
    await until(async () => {
      await comes(id);
      return (await campaigns.shop.query(isDue)).length === 1;
    }, 'the message goes on');
  });

  it('finds all its messages, however many parts it looks for them in', async () => {
    const id = await campaigns.draft(await campaigns.list(addresses(20)));
    await campaigns.schedule(id, LATER);
    await comes(id);
    await campaigns.shop.query(`update campaign set recipients = 10000000 where id = '${id}'`);
    const parked = async () =>
      (await campaigns.shop.query(`select from message where source_id = '${id}' and due_at = 'infinity'`)).length;
    for (const [status, count] of [
      ['paused', 20],
      ['sending', 0],
    ] as const) {
      await campaigns.setStatus(id, status);
      await comes(id);
      expect(await parked()).to.equal(count);
    }
    const ended = `select from message where source_id = '${id}' and status = 'cancelled'`;
    // All but the last of them.
    await campaigns.shop.query(`
      update message set status = 'sent', due_at = null
      where source_id = '${id}' and id < (select max(id::text)::uuid from message where source_id = '${id}')`);
    expect((await comes(id)).status).to.equal('sending');
    await campaigns.setStatus(id, 'cancelled');
    await comes(id);
    expect(await campaigns.shop.query(ended)).to.have.length(1);
  });

  it('waits for a segment that is built, for an hour', async () => {
    const body = { name: 'Known', definition: { identifier: 'email' } };
    const { id: segment } = (await campaigns.shop.client.post<any>('/v1/segments', body, { expect: 201 })).body;
    const isBuilt = (generation: number) =>
      campaigns.shop.query(`update segment set generation = ${generation} where id = '${segment}'`);
    await isBuilt(1);
    const id = await campaigns.draft(await campaigns.list(), { audience: { any: [{ segment }] } });
    await campaigns.schedule(id, LATER);
    await isBuilt(0);
    expect(await comes(id, 59)).to.deep.equal({ status: 'scheduled', reason: null });
    const { status, reason } = await comes(id, 61);
    expect(status).to.equal('paused');
    expect(reason).to.match(/^not_ready: .* still built$/);
    await isBuilt(1);
    await campaigns.setStatus(id, 'sending');
    expect(await comes(id)).to.deep.equal({ status: 'sent', reason: null });
  });
});
