import { expect } from 'chai';
import { ScriptedServer } from '../senders/support/scripted-server.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { addresses, Campaigns, zoneAtNoon } from './support/campaigns.ts';

const TO = /^To: (\S+)/m;

describe('A campaign', () => {
  let service: TestService;
  let campaigns: Campaigns;

  before(async () => {
    service = await TestService.start({
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      PUBLIC_URL: 'https://mail.shop.example',
      RATE_LIMIT_TIERS: 'standard=100000,partner=100000',
    });
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
  });
  after(() => service.stop());

  /** How often each address got a message. */
  const arrivals = ({ messages }: ScriptedServer) =>
    [...Map.groupBy(messages, (message) => TO.exec(message)?.[1]).values()].map(({ length }) => length);

  it('is sent to everybody who may be, once, and the others are skipped with the reason', async () => {
    const everybody = addresses(5);
    const list = await campaigns.list(everybody);
    await campaigns.shop.customer(everybody[0] as string, 'unsubscribed');
    await campaigns.shop.customer('none@shop.example', 'none');
    await campaigns.join(list, ['none@shop.example']);
    const template_id = await campaigns.shop.template({
      body: '<p>{{ campaign.name }}, {{ campaign.id }}</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>',
    });
    const id = await campaigns.draft(list, { template_id });
    await campaigns.schedule(id);
    const sent = await campaigns.reaches(id, 'sent');
    expect(sent.recipient_count).to.equal(6);
    for (const time of ['started_at', 'prepared_at', 'finished_at']) expect(sent[time]).to.be.a('string');
    expect(await campaigns.counts(id)).to.deep.equal({
      sent: 4,
      'skipped: no_consent': 1,
      'skipped: unsubscribed': 1,
    });
    const path = `/v1/campaigns/${id}/messages?status=sent`;
    const [message] = (await campaigns.shop.client.get<any>(path, { expect: 200 })).body.messages;
    expect((await campaigns.shop.content(message.id)).html).to.include(`<p>We have moved, ${id}</p>`);
  });

  it('of text messages goes to phones, with the consent for these', async () => {
    const list = await campaigns.list();
    const numbers = ['+442079460958', '+442079460959'];
    for (const phone of numbers) await campaigns.shop.customer(phone);
    const members = numbers.map((phone) => ({ phone }));
    await campaigns.shop.client.post(`/v1/lists/${list}/members`, { members }, { expect: 200 });
    const template_id = await campaigns.shop.template({
      kind: 'sms',
      subject: '',
      body: 'Hello. {{ unsubscribe_url }}',
    });
    // Marketing by text message waits for the day.
    const timing = { time_zone: { default: zoneAtNoon() }, hours: { from: '08:00', to: '21:00' } };
    const id = await campaigns.draft(list, { channel: 'sms', template_id, timing });
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    expect(await campaigns.counts(id)).to.deep.equal({ sent: 2 });
  });

  it('that is paused begins no more messages, and goes on where it was', async () => {
    await using relay = await ScriptedServer.start();
    const sender_id = await campaigns.shop.relay(relay.port, { max_per_second: 20, max_concurrent: 5 });
    const id = await campaigns.draft(await campaigns.list(addresses(60)), { sender_id });
    await campaigns.schedule(id);
    await until(() => relay.messages.length > 0, 'some have arrived');
    await campaigns.setStatus(id, 'paused');
    const { begun_at: _, ...late } = await parked(id);
    expect(late).to.deep.include({ due_at: null, status: 'waiting' });
    expect(late.why_not.cause).to.equal('campaign_paused');
    const { waiting = 0, sent = 0 } = await campaigns.counts(id);
    expect([waiting + sent, sent]).to.deep.equal([60, relay.messages.length]);
    expect(sent).to.be.below(60);
    await campaigns.shop.query(`update sender set max_per_second = 500 where id = '${sender_id}'`);
    await campaigns.setStatus(id, 'sending');
    await campaigns.reaches(id, 'sent');
    expect(await campaigns.counts(id)).to.deep.equal({ sent: 60 });
    expect(arrivals(relay)).to.deep.equal(Array.from({ length: 60 }, () => 1));
  });

  /** Waits until nothing of it is on its way, and returns one of the messages that wait. */
  async function parked(id: string): Promise<any> {
    const list = async (status: string) =>
      (await campaigns.shop.client.get<any>(`/v1/campaigns/${id}/messages?status=${status}`, { expect: 200 })).body
        .messages;
    await until(async () => {
      const underWay = [...(await list('claimed')), ...(await list('sending'))];
      return underWay.length === 0 && (await list('waiting')).every((one: any) => one.due_at === null);
    }, 'all that waits is put aside');
    return (await list('waiting'))[0];
  }

  it('that is cancelled ends each message that has not begun', async () => {
    await using relay = await ScriptedServer.start();
    const sender_id = await campaigns.shop.relay(relay.port, { max_per_second: 20, max_concurrent: 5 });
    const id = await campaigns.draft(await campaigns.list(addresses(60)), { sender_id });
    await campaigns.schedule(id);
    await until(() => relay.messages.length > 0, 'some have arrived');
    await campaigns.setStatus(id, 'cancelled');
    await until(async () => {
      const { waiting = 0, claimed = 0, sending = 0 } = await campaigns.counts(id);
      return waiting + claimed + sending === 0;
    }, 'all have ended');
    const { sent = 0, cancelled = 0 } = await campaigns.counts(id);
    expect([sent + cancelled, sent]).to.deep.equal([60, relay.messages.length]);
    expect(cancelled).to.be.greaterThan(0);
    expect((await campaigns.get(id)).status).to.equal('cancelled');
  });

  it('lets what a customer waits for pass it', async () => {
    await using relay = await ScriptedServer.start();
    const sender_id = await campaigns.shop.relay(relay.port, { max_per_second: 20, max_concurrent: 5 });
    const id = await campaigns.draft(await campaigns.list(addresses(60)), { sender_id });
    const receipt = await campaigns.shop.template({ class: 'transactional', subject: 'Your receipt' });
    await campaigns.shop.customer('waiting@shop.example', 'none');
    await campaigns.schedule(id);
    await until(() => relay.messages.length > 0, 'some have arrived');
    await campaigns.shop.send(receipt, 'waiting@shop.example', { sender_id });
    await campaigns.reaches(id, 'sent');
    const place = relay.messages.findIndex((message) => message.includes('Subject: Your receipt'));
    expect(place).to.be.within(1, relay.messages.length - 2);
  });

  it('lets what a customer waits for pass it, also with more behind that', async () => {
    await using relay = await ScriptedServer.start();
    const sender_id = await campaigns.shop.relay(relay.port, { max_concurrent: 5 });
    const receipt = await campaigns.shop.template({ class: 'transactional', subject: 'Your receipt' });
    await campaigns.shop.customer('waiting@shop.example', 'none');
    const rest = (until: string) =>
      campaigns.shop.query(`update sender set resting_until = ${until} where id = '${sender_id}'`);
    await rest(`'2035-01-01Z'`);
    const [first, second] = [
      await campaigns.list(addresses(70, 'first')),
      await campaigns.list(addresses(70, 'second')),
    ];
    const before = await campaigns.draft(first, { sender_id });
    await campaigns.schedule(before);
    await campaigns.reaches(before, 'sending');
    await campaigns.shop.send(receipt, 'waiting@shop.example', { sender_id });
    const behind = await campaigns.draft(second, { sender_id });
    await campaigns.schedule(behind);
    await campaigns.reaches(behind, 'sending');
    await rest('null');
    for (const id of [before, behind]) await campaigns.reaches(id, 'sent');
    const place = relay.messages.findIndex((message) => message.includes('Subject: Your receipt'));
    expect(place).to.be.within(0, 30);
  });

  it('and another one together keep to one cap', async () => {
    await saveMessageSettings(
      campaigns.shop.client,
      { postal_address: '12 Mill Lane', caps: { most: 1, within: 'P7D' } },
      200,
    );
    const list = await campaigns.list(addresses(30));
    const both = [await campaigns.draft(list), await campaigns.draft(list)];
    for (const id of both) await campaigns.schedule(id);
    for (const id of both) await campaigns.reaches(id, 'sent');
    const [one, other] = await Promise.all(both.map((id) => campaigns.counts(id)));
    expect((one?.sent ?? 0) + (other?.sent ?? 0)).to.equal(30);
    const skipped = 'skipped: too_many_messages';
    expect((one?.[skipped] ?? 0) + (other?.[skipped] ?? 0)).to.equal(30);
  });

  it('pauses itself where too many addresses do not exist, and goes on if somebody says so', async () => {
    await using relay = await ScriptedServer.start((verb, line) =>
      verb === 'RCPT' && line.includes('gone-') ? '550 5.1.1 Nobody' : undefined,
    );
    const sender_id = await campaigns.shop.relay(relay.port, { max_per_second: 200 });
    const id = await campaigns.draft(await campaigns.list(addresses(26, 'gone')), { sender_id });
    await campaigns.schedule(id);
    const paused = await campaigns.reaches(id, 'paused');
    expect(paused.reason).to.equal('too_many_bounces');
    await campaigns.setStatus(id, 'sending');
    await campaigns.reaches(id, 'sent');
    expect(await campaigns.counts(id)).to.deep.equal({ 'bounced: no_mailbox': 26 });
  });

  it('does not mind recipients who are refused', async () => {
    await using relay = await ScriptedServer.start((verb) => (verb === 'RCPT' ? '552 5.2.2 Full' : undefined));
    const sender_id = await campaigns.shop.relay(relay.port);
    const id = await campaigns.draft(await campaigns.list(addresses(40)), { sender_id });
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    expect(await campaigns.counts(id)).to.deep.equal({ 'failed: recipient_refused': 40 });
  });

  it('that could not begin for more than an hour asks somebody', async () => {
    const id = await campaigns.draft(await campaigns.list(addresses(1)));
    await campaigns.schedule(id, '2035-01-01T08:00:00Z');
    await campaigns.shop.query(`
      update campaign set scheduled_at = now() - interval '61 minutes', due_at = now() where id = '${id}'`);
    await campaigns.reaches(id, 'missed');
    expect(await campaigns.stats(id)).to.include({ recipient_count: 0 });
    await campaigns.setStatus(id, 'draft');
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
  });

  it('whose segment has failed meanwhile says so in place of beginning', async () => {
    const body = { name: 'Known', definition: { identifier: 'email' } };
    const { id: segment } = (await campaigns.shop.client.post<any>('/v1/segments', body, { expect: 201 })).body;
    await until(async () => {
      const found = (await campaigns.shop.client.get<any>(`/v1/segments/${segment}`, { expect: 200 })).body;
      return found.status === 'live';
    }, 'the segment is built');
    const id = await campaigns.draft(await campaigns.list(), { audience: { any: [{ segment }] } });
    await campaigns.schedule(id, '2035-01-01T08:00:00Z');
    await campaigns.shop.query(`
      update segment set failure = 'too_slow' where id = '${segment}';
      update campaign set scheduled_at = now(), due_at = now() where id = '${id}'`);
    expect((await campaigns.reaches(id, 'paused')).reason).to.match(/^not_ready: .* has failed$/);
    await campaigns.shop.query(`update segment set failure = null where id = '${segment}'`);
    await campaigns.setStatus(id, 'sending');
    await campaigns.reaches(id, 'sent');
  });

  it('of a store that was restored waits for somebody', async () => {
    const id = await campaigns.draft(await campaigns.list(addresses(1)));
    await campaigns.shop.query(`insert into automation_hold values ('${campaigns.shop.storeId}', now())`);
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'held');
    await campaigns.setStatus(id, 'draft');
    await campaigns.shop.query(`delete from automation_hold where store_id = '${campaigns.shop.storeId}'`);
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
  });
});
