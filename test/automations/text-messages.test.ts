import { expect } from 'chai';
import { Shop } from '../messages/support/shop.ts';
import { until } from '../support/process.ts';
import { EngineRoom } from './support/engine-room.ts';

const ADA = '+4930901820';
const ADAS_MAIL = 'ada@shop.example';

describe('The step send_sms', () => {
  let engine: EngineRoom;
  let room: EngineRoom;
  let shop: Shop;
  let template: string;
  let profile: string;

  before(async () => {
    engine = await EngineRoom.open();
  });
  beforeEach(async () => {
    room = await engine.newStore();
    shop = Shop.of(room.service.database, room.client, room.storeId);
    template = await shop.template({
      kind: 'sms',
      subject: '',
      body: '{{ profile.attributes.name }}, order {{ data.order }}. STOP to end.',
    });
    profile = await shop.customer(ADA);
    const both = { identifiers: { phone: ADA, email: ADAS_MAIL }, attributes: { name: 'Ada' } };
    await room.client.post('/v1/profiles/upsert', both);
  });
  after(() => engine.close());

  const text = (more: object = {}) => ({
    ...{ id: 'first', type: 'send_sms', template_id: template, next: null, quiet_hours: false },
    ...more,
  });
  const draft = async (step: object, more: object = {}): Promise<string> => {
    const trigger = { type: 'event', event_type: 'started' };
    const definition = { name: 'Test', trigger, start: 'first', steps: [step], ...more };
    return (await room.client.post<any>('/v1/automations', { definition }, { expect: 201 })).body.id;
  };
  const publish = (id: string, expected: number) =>
    room.client.post<any>(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: expected });
  const live = async (step: object, more: object = {}): Promise<string> => {
    const id = await draft(step, more);
    await publish(id, 200);
    return id;
  };
  const refusal = async (step: object) => {
    const { error } = (await publish(await draft(step), 400)).body;
    return [error.field, error.message];
  };
  const start = async (properties: object = {}) => {
    await room.send('started', ADAS_MAIL, properties);
    await room.settle();
  };
  const run = async (automation: string) => {
    const { runs } = (await room.client.get<any>(`/v1/automations/${automation}/runs`)).body;
    return (await room.client.get<any>(`/v1/runs/${runs[0].id}`)).body;
  };
  const messages = async () => (await room.client.get<any>('/v1/messages?limit=100')).body.messages;

  it('sends one text message, to the number of the customer', async () => {
    const id = await live(text({ data: { order: { from: 'event.properties.order_id' } } }));
    await start({ order_id: 'A-1' });
    const { timeline } = await run(id);
    const { message_id } = timeline.find(({ outcome }: any) => outcome === 'message_queued').detail;
    const message = await shop.ended(message_id);
    expect(message).to.include({ status: 'sent', channel: 'sms', address: ADA, segment_count: 1, source_id: id });
    expect((await shop.content(message_id)).text).to.equal('Ada, order A-1. STOP to end.');
    expect(await messages()).to.have.length(1);
  });

  it('needs a template and a sender for text messages, as send_email needs those for e-mail', async () => {
    const mail = await shop.template();
    expect(await refusal(text({ template_id: mail }))).to.deep.equal([
      'steps[0].template_id',
      'steps[0].template_id must be that of a template for text messages',
    ]);
    expect(await refusal({ id: 'first', type: 'send_email', template_id: template, next: null })).to.deep.equal([
      'steps[0].template_id',
      'steps[0].template_id must be that of a template for e-mail',
    ]);
    const input = { name: 'Relay', kind: 'smtp', from_email: ADAS_MAIL };
    const settings = { host: 'smtp.shop.example', port: 465, security: 'tls' };
    const { id: relay } = (await room.client.post<any>('/v1/senders', { ...input, settings }, { expect: 201 })).body;
    const [field, message] = await refusal(text({ sender_id: relay }));
    expect(field).to.equal('steps[0].sender_id');
    expect(message).to.include('is that of a sender for e-mail');
  });

  it('goes by the consent for text messages', async () => {
    await shop.consent(profile, { status: 'subscribed' });
    await shop.consent(profile, { status: 'unsubscribed' }, 'sms');
    await live(text());
    await start();
    const [{ id }] = await messages();
    expect(await shop.ended(id)).to.include({ status: 'skipped', reason: 'unsubscribed' });
  });

  it('keeps the hours of the night though the automation has no quiet ones, unless it says otherwise', async () => {
    const hour = new Date().getUTCHours();
    // A zone in which it is about midnight, and one in which it is about noon.
    const zone = (at: number) => {
      const ahead = ((at - hour + 36) % 24) - 12;
      return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
    };
    const timeZone = (at: number) => ({ time_zone: { attribute: 'time_zone', default: zone(at) } });
    const asleep = await live(text({ quiet_hours: true }), timeZone(0));
    const usual = await live(text({ quiet_hours: undefined }), timeZone(0));
    await start();
    expect(await messages()).to.deep.equal([]);
    for (const id of [asleep, usual]) expect(await run(id)).to.deep.include({ status: 'active', step_id: 'first' });
    await live(text({ quiet_hours: undefined }), timeZone(12));
    await live(text(), timeZone(0));
    await start();
    expect(await messages()).to.have.length(2);
    room.pass('PT10H');
    await room.settle();
    expect((await messages()).length).to.be.at.least(4);
  });

  describe('whose sender is late', () => {
    const hour = new Date().getUTCHours();
    const about = (at: number) => {
      const ahead = ((at - hour + 36) % 24) - 12;
      return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
    };
    const senders = (resting: string) =>
      shop.query(`update sender set resting_until = ${resting} where store_id = '${room.storeId}'`);
    /** As if the sender had been late by half a day. Returns the message. */
    const late = async (): Promise<any> => {
      const [{ id }] = await messages();
      await shop.query(`
        update message set context = jsonb_set(context, '{quiet,zone}', '"${about(0)}"') where id = '${id}'`);
      await senders('null');
      return id;
    };

    beforeEach(async () => {
      await room.client.get('/v1/senders', { expect: 200 });
      await senders(`now() + interval '1 day'`);
    });

    it('waits for the morning', async () => {
      await live(text({ quiet_hours: undefined }), { time_zone: { default: about(12) } });
      await start();
      const id = await late();
      const inHours = (message: any) => (Date.parse(message.due_at) - Date.now()) / 3_600_000;
      await until(async () => inHours(await shop.message(id)) > 6, 'it waits');
      const message = await shop.message(id);
      expect(inHours(message)).to.be.below(10);
      expect([message.status, message.why_not.cause]).to.deep.equal(['waiting', 'scheduled']);
      await shop.query(`
        update message set context = context #- '{quiet}', due_at = now() where id = '${id}'`);
      expect(await shop.ended(id)).to.include({ status: 'sent' });
    });

    it('is left out, where the automation says so', async () => {
      // biome-ignore lint/suspicious/noThenProperty: it is a field of the API
      const quiet_hours = { from: '20:00', to: '09:00', then: 'skip' };
      await live(text({ quiet_hours: undefined }), { quiet_hours, time_zone: { default: about(12) } });
      await start();
      const message = await shop.ended(await late());
      expect([message.status, message.reason]).to.deep.equal(['skipped', 'outside_hours']);
    });
  });

  it('is simulated with the number, and the decision by consent for text messages', async () => {
    const id = await draft(text());
    const simulate = async (more: object = {}) => {
      const body = { profile: { phone: ADA }, ...more };
      return (await room.client.post<any>(`/v1/automations/${id}/simulate`, body, { expect: 200 })).body.effects[0];
    };
    const effect = await simulate();
    expect(effect).to.include({ type: 'send_sms', recipient: ADA, skipped: false, sender_name: 'Outbox' });
    expect(effect.content).to.deep.equal({ text: 'Ada, order . STOP to end.', segment_count: 1 });
    const opted = (channel: string) => ({ assume: [{ consent: { channel, status: 'unsubscribed' } }] });
    expect(await simulate(opted('email'))).to.include({ skipped: false });
    expect(await simulate(opted('sms'))).to.include({ skipped: true, reason: 'unsubscribed' });
  });

  it('keeps its sender, and that one its endpoint, from being deleted', async () => {
    const { endpoint } = (
      await room.client.post<any>('/v1/webhook-endpoints', { url: 'https://texts.shop.example', name: 'Texts' })
    ).body;
    const input = { name: 'Texts', kind: 'webhook', settings: { endpoint_id: endpoint.id } };
    const { id: sender } = (await room.client.post<any>('/v1/senders', input, { expect: 201 })).body;
    // It has not been checked.
    expect((await refusal(text({ sender_id: sender })))[0]).to.equal('steps[0].sender_id');
    const checks = JSON.stringify([{ name: 'connection', ok: true, detail: 'It answers' }]);
    await shop.query(`update sender set checks = '${checks}', checked_at = now() where id = '${sender}'`);
    await live(text({ sender_id: sender }));
    await room.client.send('DELETE', `/v1/senders/${sender}`, undefined, { expect: 400 });
    await room.client.send('DELETE', `/v1/webhook-endpoints/${endpoint.id}`, undefined, { expect: 400 });
  });
});
