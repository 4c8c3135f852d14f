import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const REVIEW: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'order_delivered', filter: { property: 'order_id', op: 'exists' } },
  key: { property: 'order_id' },
  exit_on: [{ event_type: 'order_returned', match_key: { property: 'order_id' } }],
  start: 'week',
  steps: [
    { id: 'week', type: 'delay', for: 'P7D', next: 'lot' },
    {
      id: 'lot',
      type: 'split',
      weights: [
        { percent: 50, next: 'mark' },
        { percent: 50, next: null },
      ],
    },
    { id: 'mark', type: 'set_profile', set: { asked: true, name: { from: 'profile.attributes.name' } }, next: 'ask' },
    {
      id: 'ask',
      type: 'emit_event',
      event_type: 'review_requested',
      properties: { order_id: { from: 'event.properties.order_id' } },
      next: 'end',
    },
    { id: 'end', type: 'exit', reason: 'asked' },
  ],
};
const ADA = { profile: { email: 'ada@example.com' } };
const FIRST = { step: 'lot', weight: 0 };

describe('POST /v1/automations/{id}/simulate', () => {
  let room: EngineRoom;

  useRooms(async (one) => {
    room = one;
    await room.upsert('ada@example.com', { name: 'Ada' });
  });

  const draft = async (definition: Partial<Definition> = REVIEW): Promise<string> =>
    (await room.client.post('/v1/automations', { definition: { name: 'Draft', start: 'first', ...definition } })).body
      .id;
  const simulate = async (id: string, body: object, status = 200): Promise<any> =>
    (await room.client.post(`/v1/automations/${id}/simulate`, body, { expect: status })).body;
  const outcomes = ({ timeline }: any): string[] => timeline.map(({ outcome }: any) => outcome);

  it('plays through what a real event would start, and what the run would do', async () => {
    const id = await draft();
    const event_id = await room.send('order_delivered', 'ada@example.com', { order_id: 'o1' });
    const { body: event } = await room.client.get(`/v1/events/${event_id}`);
    const simulated = await simulate(id, { event_id, assume: [FIRST] });
    const end = new Date(Date.parse(event.received_at) + 7 * 86_400_000).toISOString();
    expect(simulated.entry).to.deep.equal({ entered: true, reason: null, detail: null });
    expect(simulated.run).to.deep.equal({
      ...{
        status: 'ended',
        step_id: 'end',
        key: 'o1',
        started_at: event.received_at,
        ended_at: end,
        reason: 'exit_step',
      },
    });
    expect(outcomes(simulated)).to.deep.equal(['started', 'delayed', 'split', 'profile_set', 'event_emitted', 'ended']);
    expect(simulated.effects).to.deep.equal([
      { type: 'set_profile', at: end, step_id: 'mark', set: { asked: true, name: 'Ada' }, unset: [] },
      { type: 'emit_event', at: end, step_id: 'ask', event_type: 'review_requested', properties: { order_id: 'o1' } },
    ]);
    expect(simulated).to.deep.include({ truncated: false, notes: [] });
  });

  it('draws for a customer what each of their runs draws, where a lot stays', async () => {
    const [per, next] = ['customer', null] as const;
    const weights = [
      { percent: 50, next },
      { percent: 50, next },
    ];
    const id = await room.publish({
      trigger: { type: 'manual' },
      reentry: { mode: 'every_time', per: 'profile' },
      steps: [{ id: 'first', type: 'split', per, weights }],
    });
    const drawn = new Set<number>();
    for (let n = 0; n < 12; n += 1) {
      const profile = { email: `c${n}@example.com` };
      await room.upsert(profile.email, {});
      const [, entry] = (await simulate(id, { profile })).timeline;
      for (let run = 0; run < 2; run += 1) {
        const { body } = await room.client.post(`/v1/automations/${id}/runs`, { profile }, { expect: 201 });
        await room.settle();
        const { timeline } = (await room.client.get(`/v1/runs/${body.run.id}`, { expect: 200 })).body;
        expect(timeline[1].detail).to.deep.equal(entry.detail);
      }
      drawn.add(entry.detail.index);
    }
    expect([...drawn]).to.have.members([0, 1]);
  });

  it('changes, stores and sends nothing', async () => {
    const id = await room.publish(REVIEW);
    await simulate(id, { ...ADA, properties: { order_id: 'o1' }, assume: [FIRST] });
    room.pass('P8D');
    await room.settle();
    expect(await room.runs(id)).to.deep.equal([]);
    const { body: events } = await room.client.get('/v1/events');
    const { body: profiles } = await room.client.get('/v1/profiles');
    expect(events.events).to.deep.equal([]);
    expect(profiles.profiles[0].attributes).to.deep.equal({ name: 'Ada' });
  });

  it('takes what may happen for granted', async () => {
    const id = await draft();
    const start = { ...ADA, properties: { order_id: 'o1' } };
    const returned = (order_id: string) => ({
      after: 'P2D',
      event: { event_type: 'order_returned', properties: { order_id } },
    });
    const ended = await simulate(id, { ...start, assume: [returned('o1')] });
    expect(ended.run).to.include({ status: 'ended', reason: 'exit_event', step_id: 'week' });
    expect(ended.timeline.at(-1).detail.event).to.include({ index: 0, event_id: null });
    const other = await simulate(id, {
      ...start,
      assume: [returned('o2'), FIRST, { after: 'P1D', set: { name: 'Countess' } }],
    });
    expect(other.effects[0].set.name).to.equal('Countess');
    const unlucky = await simulate(id, { ...start, assume: [{ step: 'lot', weight: 1 }] });
    expect(unlucky.effects).to.deep.equal([]);
  });

  it('follows what the customer really did, if asked to', async () => {
    const id = await draft();
    const event_id = await room.send('order_delivered', 'ada@example.com', { order_id: 'o1' });
    await room.send('order_returned', 'ada@example.com', { order_id: 'o1' });
    expect((await simulate(id, { event_id, assume: [FIRST] })).run.reason).to.equal('exit_step');
    const followed = await simulate(id, { event_id, follow_history: true, assume: [FIRST] });
    expect(followed.run.reason).to.equal('exit_event');
    expect(followed.timeline.at(-1).detail.event.event_id).to.match(/^[0-9a-f-]{36}$/);
  });

  it('says why nobody would enter', async () => {
    const id = await draft();
    const { entry, run, timeline, effects } = await simulate(id, { ...ADA, properties: { order: 'o1' } });
    const condition = { path: '', condition: { property: 'order_id', op: 'exists' } };
    expect(entry).to.deep.equal({
      entered: false,
      reason: 'filter',
      detail: { condition, run_id: null, free_at: null },
    });
    expect({ run, timeline, effects }).to.deep.equal({ run: null, timeline: [], effects: [] });
  });

  it('makes up what each kind of trigger is about', async () => {
    const steps = [{ id: 'first', type: 'exit' }] as const;
    const manual = await draft({ trigger: { type: 'manual' }, key: { property: 'topic' }, steps });
    expect((await simulate(manual, { ...ADA, properties: { topic: 'x' } })).run).to.include({
      key: 'x',
      status: 'ended',
    });
    const change = await draft({
      trigger: { type: 'profile_change', attribute: 'name', to: { op: 'eq', value: 'Ada' } },
      entry_condition: { attribute: 'name', op: 'eq', value: 'Ada' },
      steps,
    });
    expect((await simulate(change, ADA)).entry.entered).to.equal(true);
    expect((await simulate(change, { ...ADA, change: { from: 'Ada', to: 'Bob' } })).entry.reason).to.equal('filter');
    expect((await simulate(change, { ...ADA, change: { from: 'Ada' } })).entry.reason).to.equal('filter');
    const date = await draft({
      trigger: { type: 'date', attribute: 'birthday', repeat: 'yearly', at: '09:00' },
      steps,
    });
    expect((await simulate(date, ADA, 400)).error.field).to.equal('profile');
    await room.upsert('ada@example.com', { birthday: '1815-12-10' });
    const { run } = await simulate(date, { ...ADA, occurred_at: '2026-11-20T00:00:00Z' });
    expect(run.started_at).to.equal('2026-12-10T09:00:00.000Z');
  });

  it('simulates any version, and refuses a draft that could not be published', async () => {
    const id = await room.publish(REVIEW);
    const { body } = await room.client.get(`/v1/automations/${id}`);
    const definition = { ...body.draft, steps: [{ id: 'week', type: 'delay', for: 'P7D', next: 'nowhere' }] };
    await room.client.send('PUT', `/v1/automations/${id}`, JSON.stringify({ revision: body.revision, definition }), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    const start = { ...ADA, properties: { order_id: 'o1' } };
    expect((await simulate(id, { ...start, version: 1 })).entry.entered).to.equal(true);
    expect((await simulate(id, start, 400)).error.field).to.equal('definition.steps[0].next');
    expect((await simulate(id, { ...start, version: null }, 400)).error.field).to.equal('definition.steps[0].next');
    expect((await simulate(id, { ...start, version: 2 }, 400)).error.field).to.equal('version');
  });

  it('refuses what it can not start from, by the name of the field', async () => {
    const id = await draft();
    const other = await room.send('came', 'ada@example.com');
    const own = await room.send('order_delivered', 'ada@example.com', { order_id: 'o1' });
    const stranger = await room.newStore();
    const foreign = await stranger.send('order_delivered', 'ada@example.com', { order_id: 'o1' });
    const refused: [string | null, object][] = [
      [null, {}],
      [null, { ...ADA, event_id: own }],
      ['event_id', { event_id: UNKNOWN_ID }],
      ['event_id', { event_id: foreign }],
      ['event_id', { event_id: other }],
      ['event_id', { event_id: 'x' }],
      ['properties', { event_id: own, properties: {} }],
      ['occurred_at', { event_id: own, occurred_at: '2026-11-20T00:00:00Z' }],
      ['change', { event_id: own, change: {} }],
      ['change', { ...ADA, change: { to: 'x' } }],
      ['profile', { profile: { email: 'stranger@example.com' } }],
      ['occurred_at', { ...ADA, occurred_at: '1970-01-01T00:00:00Z' }],
      ['assume[0].after', { event_id: own, assume: [{ after: '-P1D', set: {} }] }],
      ['assume[0].after', { event_id: own, assume: [{ after: 'P1M', set: {} }] }],
      ['assume[1].step', { event_id: own, assume: [FIRST, { step: 'week', weight: 0 }] }],
      ['assume[0].weight', { event_id: own, assume: [{ step: 'lot', weight: 2 }] }],
      ['assume[0]', { event_id: own, assume: [{}] }],
    ];
    for (const [field, body] of refused) {
      expect((await simulate(id, body, 400)).error.field, JSON.stringify(body)).to.equal(field);
    }
    await simulate(UNKNOWN_ID, { event_id: own }, 404);
    await stranger.client.post(`/v1/automations/${id}/simulate`, { event_id: own }, { expect: 404 });
  });

  it('shortens what would be answered many times over', async () => {
    await room.upsert('ada@example.com', { long: 'x'.repeat(100_000) });
    const long = { from: 'profile.attributes.long' };
    const ids = ['first', ...Array.from({ length: 20 }, (_, i) => `s${i}`)];
    const id = await draft({
      trigger: { type: 'manual' },
      steps: ids.map((step, i) => ({
        id: step,
        type: 'set_profile',
        set: { [`a${i}`]: long, [`b${i}`]: long },
        next: ids[i + 1] ?? null,
      })),
    });
    const simulated = await simulate(id, ADA);
    expect(JSON.stringify(simulated).length).to.be.below(3_000_000);
    expect(simulated.notes).to.deep.equal(['Long values of what the run does are shortened.']);
  });
});
