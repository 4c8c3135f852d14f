import { expect } from 'chai';
import { Earnings } from '../attribution/support/earnings.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { addresses, Campaigns } from './support/campaigns.ts';

const BODY = `<p><a href="https://shop.example/sale?to=ada#top">Sale</a> <a href="https://shop.example/new">New</a>
<a href="{{ unsubscribe_url }}">Unsubscribe</a></p>`;

describe('The results of a campaign', () => {
  let service: TestService;
  let campaigns: Campaigns;
  let earnings: Earnings;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=100000,partner=100000' });
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
    earnings = new Earnings(service, campaigns.shop);
  });
  after(() => service.stop());

  async function send(everybody: readonly string[], more: object = {}): Promise<string> {
    const id = await campaigns.draft(await campaigns.list(everybody), more);
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    return id;
  }

  const messagesOf = async (id: string): Promise<any[]> =>
    (await campaigns.shop.client.get<any>(`/v1/campaigns/${id}/messages?limit=100`, { expect: 200 })).body.messages;

  it('have what whoever is held out ordered beside the others, from its begin on', async () => {
    const everybody = addresses(20);
    await campaigns.list(everybody);
    await earnings.order(everybody[0] as string, { value: 99, currency: 'EUR' });
    const id = await send(everybody, { hold_out_percent: 50 });
    const messages = await messagesOf(id);
    const emailOf = async (profile: string) =>
      (await campaigns.shop.client.get<any>(`/v1/profiles/${profile}`, { expect: 200 })).body.identifiers.email;
    const [out, others] = [true, false].map((is) => messages.filter(({ reason }) => (reason === 'hold_out') === is));
    const held = await emailOf(out?.[0].profile_id);
    const [first, second] = [await emailOf(others?.[0].profile_id), await emailOf(others?.[1].profile_id)];
    await earnings.order(held, { order_id: 'H', value: 8, currency: 'EUR' });
    await earnings.order(first, { order_id: 'F', value: 3.5, currency: 'EUR' });
    await earnings.order(first, { order_id: 'G', value: 2, currency: 'USD' });
    await earnings.order(second, { order_id: 'S', value: 7, currency: 'EUR' });
    await earnings.refund(second, { order_id: 'S' });
    await earnings.order(
      first,
      { value: 1, currency: 'EUR' },
      {
        occurred_at: new Date(Date.now() - 86_400_000).toISOString(),
      },
    );
    await earnings.settled();
    const { hold_out: found, hold_out_count: count, recipient_count: all } = await campaigns.stats(id);
    expect([count, all]).to.deep.equal([out?.length, 20]);
    const per = (amount: number, of: number) => String(Number((amount / of).toFixed(6)));
    expect(found.held_out).to.deep.equal({
      ...{ recipient_count: count, ordered_count: 1, order_rate: 1 / count, order_count: 1 },
      revenue: [
        { currency: 'EUR', order_count: 1, amount: '8', refunded_amount: '0', amount_per_recipient: per(8, count) },
      ],
    });
    expect(found.others).to.deep.include({ recipient_count: 20 - count, ordered_count: 1, order_count: 3 });
    expect(found.others.revenue).to.deep.equal([
      {
        ...{ currency: 'EUR', order_count: 2, amount: '3.5', refunded_amount: '7' },
        amount_per_recipient: per(3.5, 20 - count),
      },
      { currency: 'USD', order_count: 1, amount: '2', refunded_amount: '0', amount_per_recipient: per(2, 20 - count) },
    ]);
    expect(found.revenue_differences.map((one: any) => ({ ...one, amount_per_recipient: null }))).to.deep.equal(
      ['EUR', 'USD'].map((currency) => ({
        ...{ currency, amount_per_recipient: null, low: null, high: null, is_clear: false },
      })),
    );
    expect(Number(found.revenue_differences[0].amount_per_recipient)).to.be.closeTo(
      3.5 / (20 - count) - 8 / count,
      1e-5,
    );
    expect(found).to.include({ is_clear: false });
    expect(found.explanation).to.include('too few to tell them apart');
    const days = Date.parse(found.until) - Date.parse((await campaigns.get(id)).started_at);
    expect(days).to.equal(5 * 86_400_000);
    // Whoever orders without a message earns it nothing.
    expect((await campaigns.stats(id)).order_count).to.equal(0);
  });

  it('have the domains of addresses', async () => {
    const many = addresses(3).map((address) => address.replace('shop.example', 'Mail.Example'));
    const others = Array.from({ length: 21 }, (_, i) => `ada@n${String(i).padStart(2, '0')}.example`);
    const id = await send([...many, ...others]);
    await campaigns.shop.query(`
      update message m set status = 'bounced', reason = 'no_mailbox' from profile p
      where m.source_id = '${id}' and p.id = m.profile_id and p.email = '${many[0]?.toLowerCase()}'`);
    const { domains } = await campaigns.stats(id);
    const none = { delivered_count: 0, bounced_count: 0, opened_count: 0, clicked_count: 0 };
    expect(domains).to.have.length(21);
    expect(domains[0]).to.deep.equal({ ...none, domain: 'mail.example', sent_count: 3, bounced_count: 1 });
    expect(domains[1]).to.deep.equal({ ...none, domain: 'n00.example', sent_count: 1 });
    expect(domains[20]).to.deep.equal({ ...none, domain: null, sent_count: 2 });
  });

  it('have the links of its message, and orders by variant', async () => {
    const everybody = addresses(4);
    const variants = [{ subject: 'Moved' }, { subject: 'Come' }];
    const test = { variants, percent: 100, decide_by: 'clicks', after: 'PT4H', if_unclear: 'first' };
    const template_id = await campaigns.shop.template({ body: BODY });
    const id = await send(everybody, { template_id, test });
    const [one, other] = await messagesOf(id);
    await earnings.click(one.id, undefined, 1);
    await earnings.click(one.id, { 'User-Agent': 'curl/8.0' });
    await earnings.click(other.id, undefined, 1);
    await until(async () => (await campaigns.stats(id)).links.length === 2, 'both links were followed');
    expect((await campaigns.stats(id)).links).to.deep.equal([
      { template_id, number: 1, url: 'https://shop.example/sale', click_count: 0, machine_click_count: 1 },
      { template_id, number: 2, url: 'https://shop.example/new', click_count: 2, machine_click_count: 0 },
    ]);
    const { email } = (await campaigns.shop.client.get<any>(`/v1/profiles/${one.profile_id}`)).body.identifiers;
    await earnings.order(email, { value: 5, currency: 'EUR' });
    const { groups } = await earnings.report('group_by=variant');
    expect(groups).to.have.length(1);
    expect(groups[0]).to.deep.include({ source: 'campaign', source_id: id, variant: one.variant, order_count: 1 });
    await campaigns.shop.client.send('DELETE', `/v1/campaigns/${id}`, undefined, { expect: 200 });
    expect(await campaigns.shop.query(`select from campaign_link where campaign_id = '${id}'`)).to.deep.equal([]);
  });
});
