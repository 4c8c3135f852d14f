import { expect } from 'chai';
import { applyMessages } from '../../src/domain/automations/run-actions.ts';
import { SCOPES } from '../../src/domain/caller.ts';
import { Shop } from '../messages/support/shop.ts';
import { until } from '../support/process.ts';
import { USUAL_DRAFT } from '../support/templates.ts';
import { EngineRoom } from './support/engine-room.ts';

const ADA = 'ada@shop.example';
const NOWHERE = '01a1f852-c410-7e05-8b27-3d6fa91c5e42';

describe('The step send_email', () => {
  let engine: EngineRoom;
  let room: EngineRoom;
  let shop: Shop;
  let template: string;

  before(async () => {
    engine = await EngineRoom.open();
  });
  beforeEach(async () => {
    room = await engine.newStore();
    shop = Shop.of(room.service.database, room.client, room.storeId);
    template = await shop.template();
  });
  after(() => engine.close());

  const email = (more: object = {}) => ({
    id: 'first',
    type: 'send_email',
    template_id: template,
    next: null,
    ...more,
  });
  const started = (step: object, more: object = {}) => ({
    name: 'Test',
    trigger: { type: 'event', event_type: 'started' },
    start: 'first',
    steps: [step],
    ...more,
  });
  const draft = async (step: object, more: object = {}): Promise<string> =>
    (await room.client.post<any>('/v1/automations', { definition: started(step, more) }, { expect: 201 })).body.id;
  const publish = async (id: string, revision = 1) =>
    (await room.client.post<any>(`/v1/automations/${id}/publish`, { revision }, { expect: 200 })).body;
  const refusal = async (step: object) => {
    const id = await draft(step);
    const { body } = await room.client.post<any>(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: 400 });
    return [body.error.field, body.error.message];
  };
  const live = async (step: object, more: object = {}): Promise<string> => {
    const id = await draft(step, more);
    await publish(id);
    return id;
  };
  /** Starts a run for Ada, and takes its steps. */
  const start = async (properties: object = {}) => {
    await room.send('started', ADA, properties);
    await room.settle();
  };
  const run = async (automation: string) => {
    const { runs } = (await room.client.get<any>(`/v1/automations/${automation}/runs`)).body;
    return (await room.client.get<any>(`/v1/runs/${runs[0].id}`)).body;
  };
  const entry = ({ timeline }: any, outcome: string) =>
    timeline.find((one: { outcome: string }) => one.outcome === outcome)?.detail;
  const messages = async () => (await room.client.get<any>('/v1/messages?limit=100')).body.messages;
  /** What the sending of messages tells of that which a run waits for. */
  const tell = async ({ id, waiting, timeline }: any, result: 'sent' | 'skipped' | 'failed', reason: string | null) => {
    expect(waiting.for).to.equal('message');
    const { seq } = timeline.find(({ outcome }: { outcome: string }) => outcome === 'message_queued');
    await room.db
      .transaction()
      .execute((tx) => applyMessages(tx, room.storeId, [{ runId: id, seq, result, reason }], room.tools.versions));
    await room.settle();
  };

  describe('POST /v1/automations/{id}/publish', () => {
    it('refuses what the store does not have, or can not send as an e-mail', async () => {
      const draftOnly = await room.client.post<any>(
        '/v1/templates',
        { name: 'Draft', kind: 'html', subject: 'Hello', body: '<p>Hello</p>' },
        { expect: 201 },
      );
      const gone = await shop.template();
      await room.client.send('POST', `/v1/templates/${gone}/archive`, undefined, { expect: 200 });
      const other = await (await engine.newStore()).client.post<any>(
        '/v1/templates',
        { name: 'Other', kind: 'html', subject: 'Hello', body: '<p>Hello</p>' },
        { expect: 201 },
      );
      for (const id of [NOWHERE, draftOnly.body.id, gone, other.body.id]) {
        expect((await refusal(email({ template_id: id })))[0]).to.equal('steps[0].template_id');
      }
      expect((await refusal(email({ template_version: 2 })))[0]).to.equal('steps[0].template_version');
      expect((await refusal(email({ sender_id: NOWHERE })))[0]).to.equal('steps[0].sender_id');
    });

    it('shows in a draft what can not be an id', async () => {
      const id = await draft(email({ template_id: '', sender_id: 'outbox' }));
      const { problems } = (await room.client.get<any>(`/v1/automations/${id}`)).body;
      expect(problems.map(({ field }: any) => field)).to.deep.equal(['steps[0].template_id', 'steps[0].sender_id']);
    });

    it('settles the version of the template, until it is published again', async () => {
      const id = await live(email());
      const step = async () => (await publish(id)).definition.steps[0];
      expect((await step()).template_version).to.equal(1);
      const next = {
        ...USUAL_DRAFT,
        revision: 1,
        name: 'Delivered',
        kind: 'html',
        subject: 'New',
        body: '<a href="{{ unsubscribe_url }}">Unsubscribe</a>',
      };
      await room.client.send('PUT', `/v1/templates/${template}`, JSON.stringify(next), {
        expect: 200,
        headers: { 'Content-Type': 'application/json' },
      });
      await room.client.post(`/v1/templates/${template}/publish`, { revision: 2 }, { expect: 200 });
      await shop.customer(ADA);
      await start();
      expect(entry(await run(id), 'message_queued')).to.include({ template_version: 1 });
      expect(await step()).to.include({ template_version: 2 });
      expect(await publish(id)).to.include({ number: 2 });
      const { draft: kept } = (await room.client.get<any>(`/v1/automations/${id}`)).body;
      expect(kept.steps[0]).not.to.have.property('template_version');
    });

    it('needs messages:send; enrolling does not', async () => {
      const { key } = await room.service.newKey({
        scopes: SCOPES.filter((scope) => scope !== 'messages:send'),
        storeId: room.storeId,
      });
      const limited = room.client.as(key);
      const id = await draft(email(), { trigger: { type: 'manual' } });
      const { body } = await limited.post<any>(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: 403 });
      expect(body.error.message).to.include('messages:send');
      await publish(id);
      await shop.customer(ADA);
      await limited.post(`/v1/automations/${id}/runs`, { profile: { email: ADA } }, { expect: 201 });
    });
  });

  it('sends one message, which the timeline names', async () => {
    const profile = await shop.customer(ADA);
    const id = await live(email({ data: { order: { from: 'event.properties.order_id' } } }));
    await start({ order_id: 'A-1' });
    const { message_id, ...queued } = entry(await run(id), 'message_queued');
    expect(queued).to.deep.equal({ template_id: template, template_version: 1 });
    expect((await messages()).map((message: any) => message.id)).to.deep.equal([message_id]);
    const message = await shop.ended(message_id);
    expect(message).to.include({ status: 'sent', profile_id: profile, source: 'automation', source_id: id });
    expect(message.run_id).to.equal((await run(id)).id);
    expect((await shop.content(message_id)).html).to.include('Your order A-1.');
  });

  it('gives the template the event, whatever of it the definition names', async () => {
    const body =
      '<p>{{ event.event_type }}: {{ event.properties.note }}</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>';
    template = await shop.template({ body });
    await shop.customer(ADA);
    const id = await live(email());
    await start({ note: 'three apples' });
    const { message_id } = entry(await run(id), 'message_queued');
    await shop.ended(message_id);
    expect((await shop.content(message_id)).html).to.include('started: three apples');
  });

  it('goes on though the customer may not be sent it, and the message says why', async () => {
    await shop.customer(ADA, 'unsubscribed');
    const id = await live(email());
    await start();
    const shown = await run(id);
    expect(shown).to.include({ status: 'ended', reason: 'completed' });
    const message = await shop.ended(entry(shown, 'message_queued').message_id);
    expect(message).to.include({ status: 'skipped', reason: 'unsubscribed' });
  });

  it('waits until quiet hours are over', async () => {
    await shop.customer(ADA);
    const hour = new Date().getUTCHours();
    const at = (h: number) => `${String((h + 24) % 24).padStart(2, '0')}:00`;
    // biome-ignore lint/suspicious/noThenProperty: it is a field of the API
    const id = await live(email(), { quiet_hours: { from: at(hour - 2), to: at(hour + 3), then: 'wait' } });
    await start();
    expect(await messages()).to.deep.equal([]);
    expect(await run(id)).to.deep.include({ status: 'active', step_id: 'first' });
    room.pass('PT4H');
    await room.settle();
    expect(await messages()).to.have.length(1);
  });

  it('waits for what becomes of the message, and says it with the reason', async () => {
    await shop.customer(ADA);
    for (const [result, reason, outcome, ended] of [
      ['sent', null, 'message_sent', 'completed'],
      ['skipped', 'suppressed', 'message_skipped', 'completed'],
      ['failed', 'sender_refused', 'message_failed', 'message_failed'],
    ] as const) {
      const id = await live(email({ await: 'sent', on_failure: 'exit' }));
      await start();
      const waiting = await run(id);
      expect(waiting).to.include({ status: 'active', due_at: null });
      await tell(waiting, result, reason);
      const shown = await run(id);
      expect(shown).to.include({ status: 'ended', reason: ended });
      expect(entry(shown, outcome)).to.include(reason === null ? {} : { code: reason });
      await room.client.send('PUT', `/v1/automations/${id}/status`, JSON.stringify({ status: 'archived' }), {
        expect: 200,
        headers: { 'Content-Type': 'application/json' },
      });
    }
  });

  it('is simulated with recipient, template, sender and the decision by consent', async () => {
    const profile = await shop.customer(ADA);
    const id = await draft(email({ data: { a: 1 } }));
    const simulate = async (more: object = {}) => {
      const body = { profile: { email: ADA }, ...more };
      return (await room.client.post<any>(`/v1/automations/${id}/simulate`, body, { expect: 200 })).body.effects[0];
    };
    const { at: _, sender_id, ...effect } = await simulate();
    expect(sender_id).to.be.a('string');
    expect(effect).to.deep.equal({
      type: 'send_email',
      step_id: 'first',
      template_id: template,
      template_name: 'Delivered',
      template_version: 1,
      class: 'marketing',
      sender_name: 'Outbox',
      recipient: ADA,
      data: { a: 1 },
      skipped: false,
      reason: null,
      expires_at: null,
    });
    const assume = [{ consent: { channel: 'email', status: 'unsubscribed' } }];
    expect(await simulate({ assume })).to.include({ skipped: true, reason: 'unsubscribed' });
    await shop.consent(profile, { suppressed: true });
    expect(await simulate()).to.include({ skipped: true, reason: 'suppressed' });
    expect(await messages()).to.deep.equal([]);
  });

  it('keeps the sender that it names from being deleted', async () => {
    const input = {
      name: 'Shop',
      kind: 'smtp',
      from_email: 'hello@shop.example',
      settings: { host: 'smtp.shop.example', port: 465, security: 'tls' },
    };
    const { id: sender } = (await room.client.post<any>('/v1/senders', input, { expect: 201 })).body;
    // It has not been checked.
    expect((await refusal(email({ sender_id: sender })))[0]).to.equal('steps[0].sender_id');
    const outbox = (await room.client.get<any>('/v1/senders')).body.senders.find(({ kind }: any) => kind === 'outbox');
    const id = await live(email({ sender_id: outbox.id }));
    await shop.customer(ADA);
    await start();
    const { message_id, sender_id } = entry(await run(id), 'message_queued');
    expect(sender_id).to.equal(outbox.id);
    await until(async () => (await shop.message(message_id)).status === 'sent', 'the outbox has it');
  });
});
