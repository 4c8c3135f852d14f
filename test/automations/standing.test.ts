import { expect } from 'chai';
import { EngineRoom } from './support/engine-room.ts';
import { confirmedList } from './support/lists.ts';
import { SegmentEngine } from './support/segment-engine.ts';

const ADA = 'ada@example.com';

describe('Steps that change lists and consent', () => {
  let engine: EngineRoom;
  let room: EngineRoom;
  let list: string;

  before(async () => {
    engine = await EngineRoom.open();
  });
  beforeEach(async () => {
    room = await engine.newStore();
    list = await newList('Newsletter');
  });
  after(() => engine.close());

  const newList = async (name: string, more: object = {}): Promise<string> =>
    (await room.client.post('/v1/lists', { name, ...more }, { expect: 201 })).body.id;
  const add = (next: string | null = null, more: object = {}) =>
    ({ id: 'first', type: 'add_to_list', list, next, ...more }) as const;
  const on = (event_type: string, steps: object[], more: object = {}) =>
    room.publish({ trigger: { type: 'event', event_type }, steps, ...more } as any);
  const start = async (event_type = 'came') => {
    await room.send(event_type, ADA);
    await room.settle();
    await room.settle();
  };
  const members = async (id = list) => (await room.client.get(`/v1/lists/${id}/members`, { expect: 200 })).body.members;
  const profile = async () => {
    const { body } = await room.client.get(`/v1/profiles?email=${ADA}`, { expect: 200 });
    return (await room.client.get(`/v1/profiles/${body.profiles[0].id}`, { expect: 200 })).body;
  };
  const consent = async () => (await profile()).consent;
  const changes = async () => {
    const { id } = await profile();
    return (await room.client.get(`/v1/profiles/${id}/consent/history`, { expect: 200 })).body.changes;
  };

  it('add to a list and remove from it, as the next step knows', async () => {
    const isIn = (next: string | null) => [{ when: { list: list.toUpperCase() }, next }];
    const out = await newList('Out');
    await on('came', [
      add('check'),
      { id: 'check', type: 'branch', cases: isIn('out'), else: null },
      { id: 'out', type: 'add_to_list', list: out.toUpperCase(), next: 'gone' },
      { id: 'gone', type: 'remove_from_list', list, next: 'again' },
      { id: 'again', type: 'branch', cases: isIn(null), else: 'end' },
      { id: 'end', type: 'set_profile', set: { left: true }, next: null },
    ]);
    await start();
    expect(await members()).to.deep.equal([]);
    expect((await profile()).attributes).to.deep.equal({ left: true });
    const [member] = await members(out);
    expect(member).to.include({ how: 'api' });
    const { body } = await room.client.get('/v1/automations', { expect: 200 });
    expect(member.source).to.equal(`automation:${body.automations[0].id}`);
  });

  it('say in the timeline what was done', async () => {
    const id = await on('came', [
      add('mail'),
      { id: 'mail', type: 'subscribe', channel: 'email', next: 'sms' },
      { id: 'sms', type: 'unsubscribe', channel: 'sms', list, next: null },
    ]);
    await start();
    const [run] = (await room.client.get(`/v1/automations/${id}/runs`, { expect: 200 })).body.runs;
    const { timeline } = (await room.client.get(`/v1/runs/${run.id}`, { expect: 200 })).body;
    const done = timeline.slice(1, 4).map(({ outcome, detail }: any) => ({ outcome, detail }));
    expect(done).to.deep.equal([
      { outcome: 'list_changed', detail: { list, member: true } },
      { outcome: 'consent_changed', detail: { channel: 'email', choice: 'subscribed' } },
      { outcome: 'consent_changed', detail: { channel: 'sms', choice: 'unsubscribed', list } },
    ]);
  });

  it('record choices with the automation as their source, and leave who is suppressed so', async () => {
    const { id } = await profileOf();
    const suppressed = { email: { suppressed: true, reason: 'complaint' } };
    await room.client.send('PUT', `/v1/profiles/${id}/consent`, JSON.stringify(suppressed), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    const automation = await on('came', [{ id: 'first', type: 'subscribe', channel: 'email', next: null }]);
    await on('left', [{ id: 'first', type: 'unsubscribe', channel: 'email', next: null }]);
    await start();
    const { email } = await consent();
    expect(email).to.include({ status: 'subscribed', source: `automation:${automation}` });
    expect(email.suppressed).to.include({ reason: 'complaint' });
    await start('left');
    expect((await consent()).email.status).to.equal('unsubscribed');
    expect((await changes()).map(({ kind }: any) => kind)).to.deep.equal(['unsubscribed', 'subscribed', 'suppressed']);
  });

  const profileOf = async () => {
    await room.upsert(ADA, {});
    return await profile();
  };

  it('subscribe to a list, and unsubscribe from it alone', async () => {
    await on('came', [{ id: 'first', type: 'subscribe', channel: 'email', list, next: null }]);
    await on('left', [{ id: 'first', type: 'unsubscribe', channel: 'email', list, next: null }]);
    await start();
    expect(await members()).to.have.length(1);
    expect((await consent()).email).to.include({ status: 'subscribed' });
    await start('left');
    expect(await members()).to.deep.equal([]);
    const { email } = await consent();
    expect(email).to.include({ status: 'subscribed' });
    expect(email.lists[0]).to.include({ id: list, status: 'unsubscribed' });
  });

  it('have customers confirm that they subscribe to a list with double opt-in', async () => {
    list = await confirmedList(room);
    await on('came', [{ id: 'first', type: 'subscribe', channel: 'email', list, next: null }]);
    await start();
    expect(await members()).to.deep.equal([]);
    expect((await consent()).email.status).to.equal('never');
    const { messages } = (await room.client.get('/v1/messages', { expect: 200 })).body;
    expect(messages).to.have.length(1);
    await start();
    expect((await room.client.get('/v1/messages', { expect: 200 })).body.messages).to.have.length(1);
  });

  it('wait until the customer enters a segment, or leaves it, and go on at that moment', async () => {
    const segments = new SegmentEngine(room);
    const segment = await segments.create({ attribute: { name: 'tier', op: 'eq', value: 'gold' } });
    const waits = (when: object) => ({
      trigger: { type: 'event', event_type: 'came' },
      steps: [
        { id: 'first', type: 'wait', for: [{ when, next: 'done' }], timeout: 'P30D', on_timeout: null },
        { id: 'done', type: 'emit_event', event_type: 'seen', next: null },
      ],
    });
    const inside = await room.publish(waits({ segment }) as any);
    const outside = await room.publish(waits({ not: { segment } }) as any);
    await room.upsert(ADA, { tier: 'silver' });
    await room.upsert('grace@example.com', { tier: 'gold' });
    await segments.settle();
    for (const email of [ADA, 'grace@example.com']) await room.send('came', email);
    await segments.settle();
    const waiting = async (id: string) => (await room.runs(id)).filter(({ status }) => status === 'active').length;
    expect([await waiting(inside), await waiting(outside)]).to.deep.equal([1, 1]);
    await room.upsert(ADA, { tier: 'gold' });
    await room.upsert('grace@example.com', { tier: 'silver' });
    for (let turn = 0; turn < 3; turn += 1) await segments.settle();
    expect([await waiting(inside), await waiting(outside)]).to.deep.equal([0, 0]);
    for (const id of [inside, outside]) {
      expect((await room.outcomes(id)).filter((one) => one === 'event_emitted')).to.have.length(2);
    }
  });

  it('start nothing any more where automations lead to one another through a list', async () => {
    const segments = new SegmentEngine(room);
    const segment = await segments.create({ list });
    const again = { reentry: { mode: 'every_time', per: 'profile' } };
    const entered = await room.publish({
      trigger: { type: 'segment_entry', segment },
      steps: [{ id: 'first', type: 'remove_from_list', list, next: null }],
      ...again,
    } as any);
    const left = await room.publish({
      trigger: { type: 'segment_exit', segment },
      steps: [add()],
      ...again,
    } as any);
    await on('came', [add()]);
    await room.send('came', ADA);
    for (let turn = 0; turn < 10; turn += 1) await segments.settle();
    const runs = await Promise.all([entered, left].map((id) => room.runs(id)));
    expect(runs.flat().length).to.equal(5);
    const skips = await Promise.all([entered, left].map((id) => room.skips(id)));
    expect(skips.flat()).to.deep.equal(['chain_too_long']);
  });

  it('are simulated, and assumed to be left undone where they have to be confirmed', async () => {
    await room.upsert(ADA, {});
    const confirmed = await confirmedList(room);
    const definition = {
      name: 'Test',
      trigger: { type: 'manual' },
      start: 'first',
      steps: [
        add('mail'),
        { id: 'mail', type: 'subscribe', channel: 'email', list: confirmed, next: 'sms' },
        { id: 'sms', type: 'subscribe', channel: 'sms', next: 'check' },
        {
          id: 'check',
          type: 'branch',
          cases: [{ when: { all: [{ list }, { not: { list: confirmed } }] }, next: 'gone' }],
          else: null,
        },
        { id: 'gone', type: 'remove_from_list', list, next: 'out' },
        { id: 'out', type: 'unsubscribe', channel: 'sms', next: null },
      ],
    };
    const { id } = (await room.client.post('/v1/automations', { definition }, { expect: 201 })).body;
    const request = { profile: { email: ADA } };
    const { body } = await room.client.post(`/v1/automations/${id}/simulate`, request, { expect: 200 });
    const effects = body.effects.map(({ at: _, step_id: __, ...effect }: any) => effect);
    expect(effects).to.deep.equal([
      { type: 'add_to_list', list },
      { type: 'subscribe', channel: 'email', list: confirmed, awaits_confirmation: true },
      { type: 'subscribe', channel: 'sms', list: null, awaits_confirmation: false },
      { type: 'remove_from_list', list },
      { type: 'unsubscribe', channel: 'sms', list: null },
    ]);
    expect(await members()).to.deep.equal([]);
  });

  it('name a list of the store, which is not deleted meanwhile', async () => {
    const unknown = '01a1f848-4b68-7e02-8a95-c1d7340fe962';
    const draft = (id: string) => ({
      name: 'Test',
      trigger: { type: 'manual' },
      start: 'first',
      steps: [{ id: 'first', type: 'subscribe', channel: 'email', list: id, next: null }],
    });
    const created = async (id: string) =>
      (await room.client.post('/v1/automations', { definition: draft(id) }, { expect: 201 })).body;
    const { problems, id } = await created(unknown);
    expect(problems[0].field).to.equal('steps[0].list');
    expect(problems[0].message).to.include('is not the id of a list of the store');
    const refused = await room.client.post(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: 400 });
    expect(refused.body.error.message).to.include('steps[0].list');
    expect((await created('newsletter')).problems[0]).to.include({ field: 'steps[0].list' });
    await room.publish({ ...draft(list), start: 'first' } as any);
    await room.client.send('DELETE', `/v1/lists/${list}`, undefined, { expect: 400 });
  });
});
