import { expect } from 'chai';
import { addresses, Campaigns } from '../campaigns/support/campaigns.ts';
import type { Client } from '../support/client.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

const LATER = '2035-01-01T08:00:00.000Z';
const SUBJECTS = [{ subject: 'We have moved' }, { subject: 'Come and see us' }];
const TEST = { variants: SUBJECTS, percent: 20, decide_by: 'clicks', after: 'PT4H', if_unclear: 'first' };
const LOCAL = { local_time: '2035-01-01T09:00', time_zone: { default: 'Europe/Berlin' } };

describe('Variants of campaigns', () => {
  let service: TestService;
  let campaigns: Campaigns;
  let client: Client;

  before(async () => {
    // What is scheduled stays so.
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
    client = campaigns.shop.client;
  });
  after(() => service.stop());

  const post = async (path: string, body: object | undefined, expected: number) =>
    (await client.post<any>(path, body as never, { expect: expected })).body;

  it('are kept as they were given, copied, and replaced with the draft', async () => {
    const id = await campaigns.draft(await campaigns.list(), { test: TEST, hold_out_percent: 5 });
    const created = await campaigns.get(id);
    expect(created).to.deep.include({ test: TEST, hold_out_percent: 5, test_outcome: null });
    expect(await post(`/v1/campaigns/${id}/copy`, undefined, 201)).to.deep.include({ test: TEST, hold_out_percent: 5 });
    const { name, channel, template_id, subject, sender_id, audience, timing } = created;
    const draft = { revision: 1, name, channel, template_id, subject, sender_id, audience, timing };
    const other = { ...TEST, percent: 30 };
    expect(await campaigns.put(id, '', { ...draft, test: other, hold_out_percent: 0 })).to.deep.include({
      test: other,
      hold_out_percent: 0,
    });
    const { error } = await campaigns.put(id, '', { ...draft, test: TEST, hold_out_percent: 0 }, 400);
    expect(error.field).to.equal('revision');
    expect((await campaigns.put(id, '', draft, 400)).error.field).to.be.oneOf(['test', 'hold_out_percent']);
  });

  it('are shown and sent as a test by their templates, as the campaign would send them', async () => {
    const [own, other] = [
      await campaigns.shop.template({ body: '<p>{{ campaign.name }} <a href="{{ unsubscribe_url }}">Bye</a></p>' }),
      await campaigns.shop.template({ subject: 'Another' }),
    ];
    const list = await campaigns.list();
    const bySubject = await campaigns.draft(list, { template_id: own, subject: 'Usual', test: TEST });
    const byTemplate = await campaigns.draft(list, {
      ...{ template_id: own, subject: 'Usual' },
      test: { ...TEST, variants: [{ template_id: other }, { template_id: own }] },
    });
    const shown = async (template: string, of: object) => {
      const { subject, html } = await post(`/v1/templates/${template}/render`, of, 200);
      return [subject, html.includes('We have moved')];
    };
    expect(await shown(own, {})).to.deep.equal(['Hello', false]);
    expect(await shown(own, { campaign_id: bySubject })).to.deep.equal(['Usual', true]);
    expect(await shown(own, { campaign_id: bySubject, variant: 2 })).to.deep.equal(['Come and see us', true]);
    expect(await shown(other, { campaign_id: byTemplate, variant: 1 })).to.deep.equal(['Usual', false]);
    const tested = await post(
      `/v1/templates/${own}/test`,
      { to: 'me@shop.example', campaign_id: bySubject, variant: 1 },
      200,
    );
    expect((await campaigns.shop.content(tested.message_id)).subject).to.equal('[Test] We have moved');
    const cases: [template: string, of: object, field: string][] = [
      [own, { variant: 1 }, 'campaign_id'],
      [own, { campaign_id: UNKNOWN_ID }, 'campaign_id'],
      [own, { campaign_id: byTemplate, variant: 1 }, 'campaign_id'],
      [own, { campaign_id: bySubject, variant: 3 }, 'variant'],
      [own, { campaign_id: bySubject, variant: 0 }, 'variant'],
    ];
    for (const [template, of, field] of cases) {
      const { error } = await post(`/v1/templates/${template}/render`, of, 400);
      expect(error.field, JSON.stringify(of)).to.equal(field);
    }
  });

  it('are shown in the version that is sent, and tested by the sender that sends it', async () => {
    const template_id = await campaigns.shop.template();
    const sender = await campaigns.shop.relay(25);
    const { senders } = await (await client.get<any>('/v1/senders', { expect: 200 })).body;
    const outbox = senders.find(({ kind }: any) => kind === 'outbox').id;
    const test = { ...TEST, variants: [{ sender_id: outbox }, { sender_id: sender }] };
    const id = await campaigns.draft(await campaigns.list(), { template_id, sender_id: sender, test });
    const { draft } = (await client.get<any>(`/v1/templates/${template_id}`, { expect: 200 })).body;
    const change = { ...draft, revision: 1, subject: 'Changed' };
    await client.send('PUT', `/v1/templates/${template_id}`, JSON.stringify(change), {
      ...{ headers: { 'Content-Type': 'application/json' }, expect: 200 },
    });
    const subjectOf = async (of: object) => (await post(`/v1/templates/${template_id}/render`, of, 200)).subject;
    expect(await subjectOf({})).to.equal('Changed');
    expect(await subjectOf({ campaign_id: id })).to.equal('Hello');
    const tried = { to: 'me@shop.example', campaign_id: id, variant: 1 };
    expect(await post(`/v1/templates/${template_id}/test`, tried, 200)).to.include({ response: 'Kept in the outbox' });
  });

  it('are refused by field where they could not be', async () => {
    const template_id = await campaigns.shop.template();
    const variants = (...some: object[]) => ({ test: { ...TEST, variants: some } });
    const subject = (text: string) => variants({ subject: 'A' }, { subject: text });
    const cases: [object, string][] = [
      [variants({ subject: 'A' }), 'test.variants'],
      [variants(...Array.from({ length: 6 }, () => ({ subject: 'A' }))), 'test.variants'],
      [variants({ subject: 'A' }, {}), 'test.variants[1]'],
      [variants({ subject: 'A' }, { subject: 'B', template_id }), 'test.variants[1]'],
      [variants({ subject: 'A' }, { template_id }), 'test.variants[1]'],
      [variants({ template_id }, { template_id: UNKNOWN_ID }), 'test.variants[1].template_id'],
      [variants({ sender_id: UNKNOWN_ID }, { sender_id: UNKNOWN_ID }), 'test.variants[0].sender_id'],
      [subject(' '), 'test.variants[1].subject'],
      [subject(''), 'test.variants[1].subject'],
      [subject('{% if %}'), 'test.variants[1].subject'],
      [subject('{{ profile.attributes.first_name | shout }}'), 'test.variants[1].subject'],
      [subject('{{ nobody.knows }}'), 'test.variants[1].subject'],
      [subject('x'.repeat(1_001)), 'test.variants[1].subject'],
      [{ channel: 'sms', ...variants({ subject: 'A' }, { subject: 'B' }) }, 'test.variants[0].subject'],
      [{ test: { ...TEST, percent: 0 } }, 'test.percent'],
      [{ test: { ...TEST, percent: 101 } }, 'test.percent'],
      [{ test: { ...TEST, after: 'PT59S' } }, 'test.after'],
      [{ test: { ...TEST, after: 'P7DT1S' } }, 'test.after'],
      [{ test: { ...TEST, after: 'soon' } }, 'test.after'],
      [{ test: { ...TEST, after: '-PT4H' } }, 'test.after'],
      [{ test: { ...TEST, decide_by: 'luck' } }, 'test.decide_by'],
      [{ test: { ...TEST, if_unclear: 'second' } }, 'test.if_unclear'],
      [{ test: TEST, timing: LOCAL }, 'test'],
      [{ hold_out_percent: 51 }, 'hold_out_percent'],
      [{ hold_out_percent: -1 }, 'hold_out_percent'],
      [{ hold_out_percent: 2.5 }, 'hold_out_percent'],
    ];
    for (const [more, field] of cases) {
      const { error } = await post('/v1/campaigns', { name: 'Autumn', channel: 'email', ...more }, 400);
      expect([more, error.field]).to.deep.equal([more, field]);
    }
  });

  it('are pinned when they are scheduled, and looked at by what they would be sent with', async () => {
    const list = await campaigns.list();
    const schedule = async (variants: object[], expected: number) => {
      const id = await campaigns.draft(list, { test: { ...TEST, variants } });
      return await post(`/v1/campaigns/${id}/schedule`, { revision: 1, at: LATER }, expected);
    };
    const fine = await campaigns.shop.template();
    const archived = await campaigns.shop.template();
    await post(`/v1/templates/${archived}/archive`, undefined, 200);
    const receipt = await campaigns.shop.template({ class: 'transactional' });
    const texts = await campaigns.shop.template({ kind: 'sms', subject: '', body: 'Hello' });
    for (const template_id of [archived, receipt, texts]) {
      const { error } = await schedule([{ template_id: fine }, { template_id }], 400);
      expect(error.field).to.equal('test.variants[1].template_id');
    }
    const ready = await campaigns.shop.relay(9);
    const unready = await campaigns.shop.relay(9);
    await campaigns.shop.query(`update sender set checked_at = null, checks = null where id = '${unready}'`);
    const refused = await schedule([{ sender_id: unready }, { sender_id: ready }], 400);
    expect(refused.error.field).to.equal('test.variants[0].sender_id');
    const scheduled = await schedule([{ template_id: fine }, { template_id: fine }], 200);
    const pinned = { template_id: fine, template_version: 1 };
    expect(scheduled.test.variants).to.deep.equal([pinned, pinned]);
    const draft = await campaigns.setStatus(scheduled.id, 'draft');
    expect(draft.test.variants).to.deep.equal([{ template_id: fine }, { template_id: fine }]);
  });

  it('are all tried by the check, which names those that can not be made', async () => {
    const list = await campaigns.list(addresses(4));
    const check = async (variants: object[]) =>
      await post(`/v1/campaigns/${await campaigns.draft(list, { test: { ...TEST, variants } })}/check`, undefined, 200);
    expect(await check(SUBJECTS)).to.deep.include({ is_ready: true, problems: [], rendered_count: 4 });
    const template_id = await campaigns.shop.template();
    const faulty = await campaigns.shop.template({ required: ['profile.attributes.size'] });
    const { problems, rendered_count: count } = await check([{ template_id }, { template_id: faulty }]);
    expect(problems).to.have.length(1);
    expect(problems[0]).to.include({ code: 'not_rendered', field: 'test.variants[1].template_id' });
    expect(problems[0].message).to.include('2 of 2');
    expect(count).to.equal(4);
    const unready = await campaigns.shop.relay(9);
    await campaigns.shop.query(`update sender set checked_at = null, checks = null where id = '${unready}'`);
    const both = await check([{ sender_id: unready }, { sender_id: unready }]);
    expect(both.is_ready).to.equal(false);
    expect(both.problems.map(({ field }: any) => field)).to.deep.equal([
      'test.variants[0].sender_id',
      'test.variants[1].sender_id',
    ]);
  });

  it('leave who is held out to the estimate, which knows them one by one', async () => {
    const list = await campaigns.list(addresses(30));
    const id = await campaigns.draft(list, { hold_out_percent: 50 });
    const estimate = (await client.get<any>(`/v1/campaigns/${id}/estimate`, { expect: 200 })).body;
    const [{ reason, count }] = estimate.excluded;
    expect([reason, count + estimate.included_count]).to.deep.equal(['hold_out', 30]);
    expect((await client.get<any>(`/v1/campaigns/${id}/estimate`, { expect: 200 })).body).to.deep.equal(estimate);
  });

  it('are chosen from once all recipients are found, and once', async () => {
    const list = await campaigns.list();
    const id = await campaigns.draft(list, { test: TEST });
    const refusal = async (of: string, body: object) => (await campaigns.put(of, '/status', body, 400)).error;
    const choose = (winner: number) => ({ status: 'sending', winner });
    expect((await refusal(id, choose(1))).field).to.equal('winner');
    await campaigns.schedule(id, LATER);
    expect((await refusal(id, choose(1))).message).to.include('found all its recipients');
    await campaigns.shop.query(`
      update campaign set status = 'sending', started_at = now(), prepared_at = now() where id = '${id}'`);
    expect((await refusal(id, choose(3))).message).to.include('is not the number of a variant');
    expect((await refusal(id, choose(6))).field).to.equal('winner');
    expect((await refusal(id, { status: 'paused', winner: 1 })).field).to.equal('winner');
    const chosen = await campaigns.put(id, '/status', choose(2));
    expect(chosen.test_outcome).to.deep.include({ verdict: 'chosen', winner: 2, tested_at: null });
    expect(await campaigns.put(id, '/status', choose(2))).to.deep.equal(chosen);
    expect((await refusal(id, choose(1))).message).to.include('is decided');
    const without = await campaigns.draft(list);
    expect((await refusal(without, choose(1))).message).to.include('with a test');
  });
});
