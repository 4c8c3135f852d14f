import { expect } from 'chai';
import { applyMessages } from '../../src/domain/automations/run-actions.ts';
import { SCOPES } from '../../src/domain/caller.ts';
import { Shop } from '../messages/support/shop.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
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

  describe('in the explanation of an automation', () => {
    const explained = async (automation: string, profile: string, client = room.client) => {
      const path = `/v1/automations/${automation}/explanation?profile_id=${profile}`;
      return (await client.get<any>(path, { expect: 200 })).body.candidates[0];
    };

    it('is named where it did not send, with why', async () => {
      const profile = await shop.customer(ADA, 'none');
      const automation = await live(email());
      await start();
      expect(await explained(automation, profile)).to.deep.include({ decision: 'entered', unsent_messages: [] });
      const [{ id }] = await messages();
      await shop.query(
        `update message set status = 'skipped', reason = 'no_consent', due_at = null where id = '${id}'`,
      );
      const { run_id, unsent_messages: unsent } = await explained(automation, profile);
      expect(run_id).to.equal((await run(automation)).id);
      const { why_not } = await shop.message(id);
      expect(why_not.cause).to.equal('no_consent');
      expect(unsent).to.deep.equal([{ message_id: id, step_id: 'first', status: 'skipped', why_not }]);
      await shop.query(`update message set status = 'sent', reason = null where id = '${id}'`);
      expect((await explained(automation, profile)).unsent_messages).to.deep.equal([]);
    });

    it('is not shown to who may not see messages', async () => {
      const profile = await shop.customer(ADA, 'none');
      const automation = await live(email());
      await start();
      const scopes = SCOPES.filter((scope) => scope !== 'messages:read');
      const { key } = await room.service.newKey({ storeId: room.storeId, scopes });
      const { decision, unsent_messages } = await explained(automation, profile, room.client.as(key));
      expect([decision, unsent_messages]).to.deep.equal(['entered', null]);
    });
  });

  describe('a wait for the open or click of its message', () => {
    const waiting = (of_step: string, event_type = 'email_clicked') => [
      email({ id: 'remind', next: 'wait' }),
      {
        id: 'wait',
        type: 'wait',
        for: [{ event_type, of_step, next: 'done' }],
        timeout: 'P1D',
        on_timeout: null,
      },
      { id: 'done', type: 'exit', reason: 'clicked' },
    ];
    const definition = (steps: object[]) => ({
      name: 'Test',
      trigger: { type: 'event', event_type: 'started' },
      start: 'remind',
      steps,
    });
    const create = async (steps: object[]) =>
      (await room.client.post<any>('/v1/automations', { definition: definition(steps) }, { expect: 201 })).body.id;

    it('is for what is done with the message of that step of this run', async () => {
      await shop.customer(ADA);
      const automation = await create(waiting('remind'));
      await publish(automation);
      await start();
      const { id, status } = await run(automation);
      expect(status).to.equal('active');
      for (const properties of [{}, { run_id: id, step_id: 'other' }, { run_id: NOWHERE, step_id: 'remind' }]) {
        await room.send('email_clicked', ADA, properties);
        await room.settle();
      }
      await room.send('email_opened', ADA, { run_id: id, step_id: 'remind' });
      await room.settle();
      expect((await run(automation)).status).to.equal('active');
      await room.send('email_clicked', ADA, { run_id: id, step_id: 'remind' });
      await room.settle();
      const ended = await run(automation);
      expect([ended.status, ended.reason]).to.deep.equal(['ended', 'exit_step']);
      const [message] = await messages();
      expect(message).to.include({ run_id: id, step_id: 'remind' });
    });

    it('can be assumed in a simulation', async () => {
      await shop.customer(ADA);
      const automation = await create(waiting('remind'));
      const simulated = async (assume: object[], expected = 200) =>
        (
          await room.client.post<any>(
            `/v1/automations/${automation}/simulate`,
            { profile: { email: ADA }, assume },
            { expect: expected },
          )
        ).body;
      const reasonOf = ({ timeline }: any) => timeline.at(-1).detail?.reason ?? timeline.at(-1).outcome;
      const never = await simulated([]);
      const clicked = await simulated([{ step: 'remind', reaction: 'clicked', after: 'PT2H' }]);
      const opened = await simulated([{ step: 'remind', reaction: 'opened', after: 'PT2H' }]);
      expect(reasonOf(clicked)).not.to.deep.equal(reasonOf(never));
      expect(reasonOf(opened)).to.deep.equal(reasonOf(never));
      const wrong = await simulated([{ step: 'wait', reaction: 'clicked', after: 'PT2H' }], 400);
      expect(wrong.error.field).to.equal('assume[0].step');
      const past = await simulated([{ step: 'remind', reaction: 'clicked', after: '2h' }], 400);
      expect(past.error.field).to.equal('assume[0].after');
    });

    it('names a step that sends an e-mail, and is for no other event', async () => {
      for (const [steps, field] of [
        [waiting('wait'), 'steps[1].for[0].of_step'],
        [waiting('nothing'), 'steps[1].for[0].of_step'],
        [waiting('remind', 'placed_order'), 'steps[1].for[0].of_step'],
      ] as const) {
        const id = await create(steps);
        const { body } = await room.client.post<any>(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: 400 });
        expect(body.error.field).to.equal(field);
      }
    });
  });

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

  describe('in a simulation', () => {
    const simulate = async (id: string, more: object = {}, client = room.client) => {
      const body = { profile: { email: ADA }, ...more };
      return (await client.post<any>(`/v1/automations/${id}/simulate`, body, { expect: 200 })).body;
    };
    const settle = (fields: object) => saveMessageSettings(room.client, fields, 200);
    const reasons = ({ effects }: any) => effects.map(({ reason }: any) => reason);

    it('has recipient, template, sender, and what the customer would read', async () => {
      await shop.customer(ADA);
      const id = await draft(email({ data: { order: '<A-1>' } }));
      const { at: _, sender_id, content, ...effect } = (await simulate(id)).effects[0];
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
        data: { order: '<A-1>' },
        skipped: false,
        reason: null,
        why_not: null,
        failure: null,
        expires_at: null,
      });
      expect(content.subject).to.equal('Hello Ada');
      expect(content.html).to.include('Your order &lt;A-1&gt;.').and.include('preview.invalid/unsubscribe');
      expect(content.text).to.include('Your order <A-1>.');
      expect(await messages()).to.deep.equal([]);
      const { key } = await room.service.newKey({
        scopes: SCOPES.filter((scope) => scope !== 'messages:read'),
        storeId: room.storeId,
      });
      const [shown] = (await simulate(id, {}, room.client.as(key))).effects;
      expect(shown).to.deep.include({ content: null, failure: null, skipped: false });
    });

    it('decides as the sending of messages does, by all that it would ask now', async () => {
      const profile = await shop.customer(ADA);
      const id = await draft(email());
      const assume = [{ consent: { channel: 'email', status: 'unsubscribed' } }];
      expect(reasons(await simulate(id, { assume }))).to.deep.equal(['unsubscribed']);
      await settle({ caps: { most: 1, within: 'P7D' } });
      expect(reasons(await simulate(id))).to.deep.equal([null]);
      await shop.ended(await shop.send(template, ADA));
      expect(reasons(await simulate(id))).to.deep.equal(['too_many_messages']);
      expect(await shop.fate(template, ADA)).to.deep.equal(['skipped', 'too_many_messages']);
      await settle({ smart_sending: 'PT16H' });
      expect(reasons(await simulate(id))).to.deep.equal(['too_soon']);
      await room.client.post('/v1/suppressed-addresses', { addresses: [ADA] }, { expect: 200 });
      expect(reasons(await simulate(id))).to.deep.equal(['address_suppressed']);
      await shop.consent(profile, { suppressed: true });
      expect(reasons(await simulate(id))).to.deep.equal(['address_suppressed']);
    });

    it('counts what the run has sent before, in its own time, and shows changed attributes', async () => {
      await shop.customer(ADA);
      await settle({ smart_sending: 'PT16H' });
      const steps = [
        email({ next: 'soon' }),
        { id: 'soon', type: 'delay', for: 'PT1H', next: 'second' },
        email({ id: 'second', next: 'later' }),
        { id: 'later', type: 'delay', for: 'P1D', next: 'rename' },
        { id: 'rename', type: 'set_profile', set: { first_name: 'Countess' }, next: 'third' },
        email({ id: 'third' }),
      ];
      const id = await draft(steps[0] as object, { steps });
      const { effects } = await simulate(id);
      const emails = effects.filter(({ type }: any) => type === 'send_email');
      expect(emails.map(({ reason, content }: any) => [reason, content.subject])).to.deep.equal([
        [null, 'Hello Ada'],
        ['too_soon', 'Hello Ada'],
        [null, 'Hello Countess'],
      ]);
      // Long ago or now: the run is decided about as if it started now.
      const past = await simulate(id, { occurred_at: new Date(Date.now() - 3_600_000).toISOString() });
      expect(reasons({ effects: past.effects.filter(({ type }: any) => type === 'send_email') })).to.deep.equal([
        null,
        'too_soon',
        null,
      ]);
    });

    it('says why there would be no message, and renders ten', async () => {
      await shop.customer(ADA);
      const needy = await shop.template({
        body: '<p>{{ data.order }}</p><p><a href="{{ unsubscribe_url }}">Unsubscribe</a></p>',
        required: ['data.order'],
      });
      const [effect] = (await simulate(await draft(email({ template_id: needy })))).effects;
      expect(effect).to.deep.include({ skipped: true, reason: 'missing_value', content: null });
      expect(effect.failure).to.include('data.order');
      const ids = Array.from({ length: 12 }, (_, n) => (n === 0 ? 'first' : `step_${n}`));
      const steps = ids.map((id, n) => email({ id, next: ids[n + 1] ?? null }));
      const { effects, notes } = await simulate(await draft(steps[0] as object, { steps }));
      expect(effects.filter(({ content }: any) => content !== null)).to.have.length(10);
      expect(notes).to.deep.equal(['Of the messages, only the first 10 are shown as they would be read.']);
    });
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
