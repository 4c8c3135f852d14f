import { expect } from 'chai';
import { Campaigns } from '../campaigns/support/campaigns.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Earnings } from './support/earnings.ts';

const [ADA, EVE] = ['ada@shop.example', 'eve@shop.example'];
const BODY = '<p><a href="https://shop.example/">Shop</a> <a href="{{ unsubscribe_url }}">Unsubscribe</a></p>';

let service: TestService;
let campaigns: Campaigns;
let earnings: Earnings;

before(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  campaigns = await Campaigns.open(service);
  earnings = new Earnings(service, campaigns.shop);
});
after(() => service.stop());

const nothing = { source: null, source_id: null, step_id: null, template_id: null, variant: null, date: null };
const euros = (orders: number, amount: string) => ({
  order_count: orders,
  revenue: [{ currency: 'EUR', order_count: orders, amount, refunded_amount: '0' }],
});

describe('What a campaign earns', () => {
  it('is in its results, and among others', async () => {
    const list = await campaigns.list([ADA, EVE]);
    const template_id = await campaigns.shop.template({ body: BODY });
    const ids: string[] = [];
    for (const name of ['First', 'Second']) {
      const id = await campaigns.draft(list, { name, template_id });
      ids.push(id);
      expect(await campaigns.stats(id)).to.deep.include({ order_count: 0, revenue: [] });
      await campaigns.schedule(id);
      await campaigns.reaches(id, 'sent');
    }
    const [first = '', second = ''] = ids;
    const { messages } = (await campaigns.shop.client.get<any>(`/v1/campaigns/${first}/messages`)).body;
    expect(messages).to.have.length(2);
    for (const { id, address } of messages) {
      const occurred_at = new Date(await earnings.click(id)).toISOString();
      await earnings.order(address, { value: address === ADA ? 10.5 : 1, currency: 'EUR' }, { occurred_at });
    }
    const at = await earnings.click(await earnings.send(EVE));
    await earnings.order(EVE, { value: 3, currency: 'EUR' }, { occurred_at: new Date(at).toISOString() });
    expect(await earnings.report('group_by=source')).to.deep.include(euros(3, '14.5'));
    const { groups, ...all } = await earnings.report('group_by=campaign');
    expect(all).to.deep.include(euros(2, '11.5'));
    expect(groups).to.deep.equal([{ ...nothing, source: 'campaign', source_id: first, ...euros(2, '11.5') }]);
    expect(await campaigns.stats(first)).to.deep.include(euros(2, '11.5'));
    expect(await campaigns.stats(second)).to.deep.include({ order_count: 0, revenue: [] });
    expect(await earnings.report(`group_by=day&source_id=${first.toUpperCase()}`)).to.deep.include(euros(2, '11.5'));
    expect((await earnings.report(`group_by=day&source_id=${second}`)).groups).to.deep.equal([]);
  });
});

describe('What an automation earns', () => {
  it('is counted by its steps', async () => {
    await campaigns.shop.customer(ADA);
    const { client } = campaigns.shop;
    const template_id = await campaigns.shop.template({ body: BODY });
    const step = (id: string, next: string | null) => ({ id, type: 'send_email', template_id, next });
    const definition = {
      name: 'Welcome',
      trigger: { type: 'event', event_type: 'started' },
      start: 'greet',
      steps: [step('greet', 'remind'), step('remind', null)],
    };
    const { id } = (await client.post<any>('/v1/automations', { definition }, { expect: 201 })).body;
    await client.post(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: 200 });
    await earnings.order(ADA, {}, { event_type: 'started' });
    let sent: any[] = [];
    await until(async () => {
      sent = (await client.get<any>('/v1/messages')).body.messages;
      return sent.length === 2 && sent.every(({ status }) => status === 'sent');
    }, 'both are sent');
    const of = (name: string) => sent.find(({ step_id }) => step_id === name).id;
    const order = (value: number, at: number) =>
      earnings.order(ADA, { value, currency: 'EUR' }, { occurred_at: new Date(at).toISOString() });
    const reminded = await earnings.click(of('remind'));
    const greeted = await earnings.click(of('greet'));
    for (const [value, at] of [
      [2, reminded],
      [4, reminded],
      [8, greeted],
    ] as const)
      await order(value, at);
    const ofAutomation = { ...nothing, source: 'automation', source_id: id };
    const groups = async (by: string) => (await earnings.report(`group_by=${by}`)).groups;
    expect(await groups('automation')).to.deep.equal([{ ...ofAutomation, ...euros(3, '14') }]);
    expect(await groups('step')).to.deep.equal([
      { ...ofAutomation, step_id: 'remind', ...euros(2, '6') },
      { ...ofAutomation, step_id: 'greet', ...euros(1, '8') },
    ]);
  });
});
