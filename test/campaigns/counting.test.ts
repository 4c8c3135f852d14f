import { expect } from 'chai';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Campaigns } from './support/campaigns.ts';

/** More than are counted when somebody asks, and more than are counted in one statement. */
const MEMBERS = 6_000;

describe('The results of a large campaign', () => {
  let service: TestService;
  let campaigns: Campaigns;
  let id: string;

  before(async () => {
    service = await TestService.start();
    campaigns = await Campaigns.open(service);
    const list = await campaigns.list();
    await campaigns.crowd(list, MEMBERS);
    id = await campaigns.draft(list);
    // Nothing is sent yet.
    await campaigns.rest();
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sending');
    await counted({ waiting: MEMBERS });
    await end('true');
    await campaigns.reaches(id, 'sent');
    await counted({ sent: MEMBERS });
  });
  after(() => service.stop());

  /** Waits until the results are these. */
  async function counted(expected: Record<string, number>): Promise<any> {
    await until(
      async () => {
        await soon();
        const counts = await campaigns.counts(id);
        return JSON.stringify(counts) === JSON.stringify(expected);
      },
      `the results are ${JSON.stringify(expected)}`,
    );
  }

  /** The next count does not wait. */
  const soon = () =>
    campaigns.shop.query(`update campaign_count set due_at = now() where campaign_id = '${id}' and due_at > now()`);

  const end = (which: string) =>
    campaigns.shop.query(`
      update message set status = 'sent', due_at = null, begun_at = now(), finished_at = now()
      where source_id = '${id}' and ${which}`);

  /** Waits until nobody counts it any more. */
  const rests = () =>
    until(async () => {
      await soon();
      const [row] = await campaigns.shop.query(
        `select due_at, begun_at from campaign_count where campaign_id = '${id}'`,
      );
      return row?.due_at === null && row.begun_at === null;
    }, 'it is not counted any more');

  it('are counted until it is over, and say of when they are', async () => {
    await rests();
    const { recipient_count: recipients } = await campaigns.get(id);
    const { counted_at: at, recipient_count: sum, messages } = await campaigns.stats(id);
    expect(sum).to.equal(recipients);
    expect(messages).to.deep.equal([{ status: 'sent', reason: null, count: MEMBERS }]);
    expect(Date.parse(at)).to.be.within(Date.parse((await campaigns.get(id)).finished_at), Date.now());
  });

  it('have what was opened when it was over', async () => {
    await rests();
    await campaigns.shop.query(`
      insert into message_hit (store_id, message_id, id, hit_at, is_machine, kind)
      select store_id, id, id, now() - interval '1 hour', true, 'open' from message where source_id = '${id}'
      order by id limit 3`);
    await until(async () => {
      await soon();
      return (await campaigns.stats(id)).machine_opened_count === 3;
    }, 'the opens are seen');
  });

  it('have what was ordered since, also once nothing of it changes any more', async () => {
    await rests();
    await campaigns.shop.query(`
      update message set status = 'skipped', reason = 'hold_out' where (store_id, id) in (
        select store_id, id from message where source_id = '${id}' order by id limit 1000)`);
    await campaigns.shop.query(`
      insert into attribution (store_id, event_id, profile_id, ordered_at, click_window_ms, is_placed, currency, value)
      select store_id, id, profile_id, now() - interval '1 second', 1, true, 'EUR', 0.1 from message
      where source_id = '${id}' and (reason is null or id in (
        select id from message where source_id = '${id}' and reason = 'hold_out' order by id desc limit 100))`);
    await campaigns.shop.query(`update campaign set hold_out = 20 where id = '${id}'`);
    await campaigns.shop.query(`update campaign_count set due_at = now() where campaign_id = '${id}'`);
    await until(async () => {
      await soon();
      return (await campaigns.stats(id)).hold_out?.others.order_count === MEMBERS - 1_000;
    }, 'the orders are seen');
    const { hold_out: found } = await campaigns.stats(id);
    expect([found.held_out.order_count, found.is_clear]).to.deep.equal([100, true]);
    expect(found.others.revenue[0]).to.include({ amount: '500', amount_per_recipient: '0.1' });
    const [difference] = found.revenue_differences;
    expect(difference).to.deep.include({ currency: 'EUR', amount_per_recipient: '0.09', is_clear: true });
    // All others have brought the same, so it is but the spread of those who were held out that counts.
    expect([difference.low, difference.high].map(Number)).to.deep.equal([0.08814, 0.09186]);
    await until(async () => {
      const [row] = await campaigns.shop.query(`
        select due_at > now() + interval '5 minutes' as waits from campaign_count where campaign_id = '${id}'`);
      return row?.waits === true;
    }, 'they are counted again in ten minutes');
    await campaigns.shop.query(`
      update message set status = 'sent', reason = null where source_id = '${id}' and reason = 'hold_out'`);
    await campaigns.shop.query(`update campaign set hold_out = 0 where id = '${id}'`);
  });

  it('have what was decided about what was unknown', async () => {
    const [{ id: message }] = await campaigns.shop.query(`
      update message set status = 'unknown' where (store_id, id) in (
        select store_id, id from message where source_id = '${id}' order by id desc limit 1)
      returning id`);
    await campaigns.shop.client.post(`/v1/messages/${message}/resolve`, { decision: 'leave' }, { expect: 200 });
    await counted({ sent: MEMBERS });
    await rests();
  });

  it('are gone with it', async () => {
    await rests();
    const copy = await campaigns.shop.query(`select * from campaign_count where campaign_id = '${id}'`);
    expect(copy).to.have.length(1);
    await campaigns.shop.client.send('DELETE', `/v1/campaigns/${id}`, undefined, { expect: 200 });
    expect(await campaigns.shop.query(`select from campaign_count where campaign_id = '${id}'`)).to.deep.equal([]);
  });
});
