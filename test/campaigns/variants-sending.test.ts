import { expect } from 'chai';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { addresses, Campaigns } from './support/campaigns.ts';

const TEST = { percent: 50, decide_by: 'clicks', after: 'PT4H', if_unclear: 'first' };

describe('Variants of a campaign that is sent', () => {
  let service: TestService;
  let campaigns: Campaigns;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=100000,partner=100000' });
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
  });
  after(() => service.stop());

  const messagesOf = async (id: string): Promise<any[]> =>
    (await campaigns.shop.client.get<any>(`/v1/campaigns/${id}/messages?limit=100`, { expect: 200 })).body.messages;

  /** Waits until all messages of the test have been tried. */
  const tested = (id: string) =>
    until(async () => typeof (await campaigns.get(id)).test_outcome?.tested_at === 'string', 'the test has been sent');

  it('have their own subjects, with values; the rest gets that of the winner, and whoever is held out nothing', async () => {
    const list = await campaigns.list(addresses(40));
    const variants = [{ subject: 'Moved' }, { subject: '{{ profile.attributes.first_name }}, we have moved' }];
    const id = await campaigns.draft(list, { test: { ...TEST, variants }, hold_out_percent: 20 });
    await campaigns.schedule(id);
    await tested(id);
    const before = await messagesOf(id);
    const rest = before.filter(({ status }) => status === 'waiting');
    expect(rest).to.not.have.length(0);
    for (const one of rest) {
      expect([one.variant, one.due_at, one.why_not.cause]).to.deep.equal([null, null, 'campaign_test']);
    }
    const heldOut = before.filter(({ reason }) => reason === 'hold_out');
    for (const one of heldOut) expect([one.status, one.why_not.cause]).to.deep.equal(['skipped', 'hold_out']);
    await campaigns.put(id, '/status', { status: 'sending', winner: 2 });
    await campaigns.reaches(id, 'sent');
    const subjects = ['Moved', 'Ada, we have moved'];
    for (const { id: messageId, status, variant } of await messagesOf(id)) {
      if (status !== 'sent') continue;
      expect((await campaigns.shop.content(messageId)).subject).to.equal(subjects[(variant ?? 2) - 1]);
    }
    const counts = await campaigns.counts(id);
    expect(counts).to.deep.equal({
      sent: 40 - heldOut.length,
      ...(heldOut.length > 0 && { 'skipped: hold_out': heldOut.length }),
    });
    expect((await campaigns.stats(id)).hold_out_count).to.equal(heldOut.length);
  });

  it('without a subject have that of the campaign, which replaces that of the template', async () => {
    const list = await campaigns.list(addresses(4));
    const templates = [await campaigns.shop.template(), await campaigns.shop.template()];
    const variants = templates.map((template_id) => ({ template_id }));
    const subject = '{{ profile.attributes.first_name }}, here we are';
    const id = await campaigns.draft(list, { subject, test: { ...TEST, variants, percent: 100 } });
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    const messages = await messagesOf(id);
    expect(messages).to.have.length(4);
    for (const one of messages) expect((await campaigns.shop.content(one.id)).subject).to.equal('Ada, here we are');
  });

  it('by content are what whoever follows the link to read it in a browser sees', async () => {
    const list = await campaigns.list(addresses(6));
    const body = (word: string) =>
      `<p>${word}</p><a href="{{ view_url }}">Read</a><a href="{{ unsubscribe_url }}">No</a>`;
    const templates = [
      await campaigns.shop.template({ body: body('North') }),
      await campaigns.shop.template({ body: body('South') }),
    ];
    const variants = templates.map((template_id) => ({ template_id }));
    const id = await campaigns.draft(list, { test: { ...TEST, variants, percent: 100 } });
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    for (const { id: messageId, variant, template_id } of await messagesOf(id)) {
      expect(template_id).to.equal(templates[variant - 1]);
      const { html } = await campaigns.shop.content(messageId);
      expect(html).to.include(['North', 'South'][variant - 1]);
      // As after a week, when the outbox does not have it any more.
      await campaigns.shop.query(`delete from outbox_message where message_id = '${messageId}'`);
      const [path] = /\/m\/v\/[\w-]+/.exec(html) as RegExpExecArray;
      const seen = await fetch(new URL(path, service.url));
      expect(await seen.text()).to.include(['North', 'South'][variant - 1]);
    }
  });
});
