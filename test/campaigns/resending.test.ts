import { expect } from 'chai';
import { TestService } from '../support/service.ts';
import { addresses, Campaigns } from './support/campaigns.ts';

describe('A campaign to recipients of another', () => {
  let service: TestService;
  let campaigns: Campaigns;
  let list: string;
  let first: string;
  const everybody = addresses(7);

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=100000,partner=100000' });
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
    list = await campaigns.list(everybody);
    first = await campaigns.draft(list);
    await campaigns.shop.customer(everybody[6] as string, 'unsubscribed');
    await campaigns.schedule(first);
    await campaigns.reaches(first, 'sent');
    // Two have opened, one of them has clicked, a program has opened one more, and one could not be sent.
    for (const [i, change] of [
      [0, 'opened_at = now(), clicked_at = now(), opens = 1, clicks = 1'],
      [1, 'opened_at = now(), opens = 1'],
      [2, 'machine_opens = 1'],
      [3, `status = 'failed', reason = 'recipient_refused'`],
      [4, `status = 'bounced', reason = 'no_mailbox'`],
    ] as const) {
      await campaigns.shop.query(`
        update message m set ${change} from profile p
        where m.source_id = '${first}' and p.id = m.profile_id and p.email = '${everybody[i]}'`);
    }
    // They would have had enough.
    await campaigns.shop.query(`update message set begun_at = now() - interval '30 days' where source_id = '${first}'`);
  });
  after(() => service.stop());

  const part = (who: string) => ({ campaign: { id: first, who } });

  /** Who a campaign to an audience has for recipients, by the places of their addresses. */
  async function recipients(any: object[], not: object[] = []): Promise<number[]> {
    const id = await campaigns.draft(list, { audience: { any, not } });
    const path = `/v1/campaigns/${id}/estimate`;
    const estimate = (await campaigns.shop.client.get<any>(path, { expect: 200 })).body;
    await campaigns.schedule(id);
    const { recipient_count: count } = await campaigns.reaches(id, 'sent');
    const found = await campaigns.shop.query(`
      select p.email from message m join profile p on p.id = m.profile_id where m.source_id = '${id}' order by 1`);
    expect(found).to.have.length(count);
    const excluded = estimate.excluded.find(({ reason }: any) => reason === 'excluded')?.count ?? 0;
    expect([estimate.audience_count - excluded, estimate.is_exact]).to.deep.equal([count, true]);
    return found.map(({ email }) => everybody.indexOf(email));
  }

  it('finds those who have not opened or clicked, were skipped, or whose message failed', async () => {
    expect(await recipients([part('non_openers')])).to.deep.equal([2, 5]);
    expect(await recipients([part('non_clickers')])).to.deep.equal([1, 2, 5]);
    expect(await recipients([part('skipped')])).to.deep.equal([6]);
    expect(await recipients([part('failed')])).to.deep.equal([3]);
  });

  it('has each of them once, beside lists and other campaigns, and leaves out whom it should', async () => {
    const both = [part('non_openers'), part('non_clickers')];
    expect(await recipients(both)).to.deep.equal([1, 2, 5]);
    expect(await recipients([{ list }, ...both])).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect(await recipients([part('non_clickers')], [part('non_openers')])).to.deep.equal([1]);
    expect(await recipients([{ list }], both)).to.deep.equal([0, 3, 4, 6]);
  });

  it('knows who was merged by the message that they had before, and asks nobody twice who has another', async () => {
    const idOf = async (n: number): Promise<string> =>
      (
        await campaigns.shop.query(`
        select id from profile where store_id = '${campaigns.shop.storeId}' and email = '${everybody[n]}'`)
      )[0].id;
    const [skipped, sent, reader] = [await idOf(6), await idOf(5), await idOf(0)];
    await campaigns.shop.client.post(`/v1/profiles/${skipped}/merge`, { from: sent }, { expect: 202 });
    expect(await recipients([{ list }], [part('non_openers')])).to.deep.equal([0, 1, 3, 4]);
    // As if they had been merged before it was sent.
    await campaigns.shop.query(`
      update message set reason = 'merged', profile_id = '${reader}'
      where source_id = '${first}' and status = 'skipped'`);
    expect(await recipients([part('skipped')])).to.deep.equal([]);
  });

  it('keeps that one from being deleted before it has found them', async () => {
    const id = await campaigns.draft(list, { audience: { any: [part('non_openers')] } });
    await campaigns.schedule(id, '2035-01-01T08:00:00Z');
    const remove = (expected: number) =>
      campaigns.shop.client.send<any>('DELETE', `/v1/campaigns/${first}`, undefined, { expect: expected });
    expect((await remove(400)).body.error.message).to.include(id);
    await campaigns.setStatus(id, 'draft');
    await remove(200);
    const gone = await campaigns.shop.client.post<any>(
      `/v1/campaigns/${id}/schedule`,
      { revision: 1 },
      { expect: 400 },
    );
    expect(gone.body.error.field).to.equal('audience.any[0].campaign');
  });
});
