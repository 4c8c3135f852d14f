import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const CHECKOUT: Partial<Definition> = {
  trigger: {
    type: 'event',
    event_type: 'started_checkout',
    filter: {
      all: [
        { property: 'value', op: 'gte', value: 20 },
        { property: 'test', op: 'not_exists' },
      ],
    },
  },
  key: { property: 'cart_id' },
  entry_condition: { any: [{ attribute: 'tier', op: 'eq', value: 'gold' }, { did: { event_type: 'placed_order' } }] },
  reentry: { mode: 'one_at_a_time', per: 'key' },
  steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
};
const FITTING = { value: 30, cart_id: 'a' };

describe('Explanations', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  describe('GET /v1/automations/{id}/explanation', () => {
    const explain = async (id: string, profileId: string, more = ''): Promise<any> =>
      (await room.client.get(`/v1/automations/${id}/explanation?profile_id=${profileId}${more}`, { expect: 200 })).body;

    it('tells of each event that could have started a run what was decided, and why', async () => {
      const ada = await room.upsert('ada@example.com', { tier: 'silver' });
      const send = (properties: object, more = {}) =>
        room.send('started_checkout', 'ada@example.com', properties, more);
      await send(FITTING);
      const id = await room.publish(CHECKOUT);
      await send({ ...FITTING, value: 10 });
      await send(FITTING, { backfill: true });
      await send(FITTING);
      await send({ value: 30 });
      await send(FITTING, { occurred_at: '2026-01-01T00:00:00Z' });
      await room.settle();
      await room.upsert('ada@example.com', { tier: 'gold' });
      const entered = await send(FITTING);
      await room.settle();
      await send(FITTING);
      await room.settle();
      await room.setStatus(id, 'paused');
      await send(FITTING);
      await room.settle();
      await room.setStatus(id, 'draining');
      await send(FITTING);
      await room.settle();
      const { candidates, next_cursor } = await explain(id, ada);
      expect(next_cursor).to.equal(null);
      expect(candidates.map((one: any) => one.reason ?? one.decision)).to.deep.equal([
        ...[
          'not_live',
          'paused',
          'reentry',
          'entered',
          'no_key',
          'entry_condition',
          'backfill',
          'filter',
          'not_live',
          'late',
        ],
      ]);
      const of = (reason: string) => candidates.find((one: any) => one.reason === reason);
      const [{ id: runId }] = (await room.client.get(`/v1/automations/${id}/runs`)).body.runs;
      const run = candidates.find((one: any) => one.decision === 'entered');
      expect(run).to.include({ type: 'event', event_id: entered, event_type: 'started_checkout', run_id: runId });
      expect(of('reentry').detail).to.deep.equal({ condition: null, run_id: runId, free_at: null });
      expect(of('filter').detail.condition).to.deep.equal({
        path: 'all[0]',
        condition: { property: 'value', op: 'gte', value: 20 },
        saw: 10,
      });
      expect(of('entry_condition').detail.condition).to.deep.equal({
        path: 'any[1]',
        condition: { did: { event_type: 'placed_order' } },
        saw: 0,
      });
      expect(of('late').detail).to.equal(null);
    });

    it('says that an event is pending until it is read', async () => {
      const id = await room.publish(CHECKOUT);
      const ada = await room.upsert('ada@example.com', { tier: 'gold' });
      await room.settle();
      await room.send('started_checkout', 'ada@example.com', FITTING);
      await room.send('started_checkout', 'ada@example.com', { value: 1 });
      const decisions = async () => (await explain(id, ada)).candidates.map(({ decision }: any) => decision);
      expect(await decisions()).to.deep.equal(['skipped', 'pending']);
      await room.settle();
      expect(await decisions()).to.deep.equal(['skipped', 'entered']);
    });

    it('judges each event by what was published then', async () => {
      const ada = await room.upsert('ada@example.com', { tier: 'gold' });
      const id = await room.publish(CHECKOUT);
      await room.send('started_checkout', 'ada@example.com', { ...FITTING, value: 10 });
      const lower = { type: 'event', event_type: 'started_checkout' } as const;
      await room.publish({ ...CHECKOUT, trigger: lower }, id);
      await room.send('started_checkout', 'ada@example.com', { ...FITTING, value: 10 });
      await room.settle();
      const { candidates } = await explain(id, ada);
      expect(candidates.map((one: any) => one.reason ?? one.decision)).to.deep.equal(['entered', 'filter']);
    });

    it('lists what comes by request, by change and by date, as far as it was decided about', async () => {
      const ada = await room.upsert('ada@example.com', {});
      const manual = await room.publish({
        trigger: { type: 'manual' },
        steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
      });
      const enrol = () => room.client.post(`/v1/automations/${manual}/runs`, { profile: { email: 'ada@example.com' } });
      for (let i = 0; i < 5; i += 1) await enrol();
      const { candidates } = await explain(manual, ada);
      expect(candidates.map((one: any) => one.reason ?? one.decision)).to.deep.equal([
        ...Array(4).fill('reentry'),
        'entered',
      ]);
      expect(candidates[0]).to.include({ type: 'manual', event_id: null, event_type: null });
      const paged: any[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: any = await explain(manual, ada, `&limit=2${cursor && `&cursor=${cursor}`}`);
        paged.push(...page.candidates);
        cursor = page.next_cursor;
      }
      expect(paged).to.deep.equal(candidates);
      const change = await room.publish({
        trigger: { type: 'profile_change', attribute: 'tier', to: { op: 'eq', value: 'gold' } },
        entry_condition: { attribute: 'blocked', op: 'not_exists' },
        steps: [{ id: 'first', type: 'exit' }],
      });
      await room.upsert('ada@example.com', { tier: 'gold', blocked: true });
      await room.settle();
      const [skipped, ...others] = (await explain(change, ada)).candidates;
      expect(others).to.have.length(0);
      expect(skipped).to.include({ type: 'profile_change', decision: 'skipped', reason: 'entry_condition' });
    });

    it('says of a draft that it is not live, and nothing of a customer whom nobody knows', async () => {
      const { body } = await room.client.post(
        '/v1/automations',
        { definition: { name: 'Draft', start: 'first', ...CHECKOUT } },
        { expect: 201 },
      );
      const ada = await room.upsert('ada@example.com', { tier: 'gold' });
      await room.send('started_checkout', 'ada@example.com', FITTING);
      expect((await explain(body.id, ada)).candidates[0]).to.include({
        reason: 'not_live',
        run_id: null,
        detail: null,
      });
      expect(await explain(body.id, UNKNOWN_ID)).to.deep.equal({ segment: null, candidates: [], next_cursor: null });
    });

    it('refuses what is no cursor of its own, no id of a profile, and an automation of another store', async () => {
      const manual = await room.publish({ trigger: { type: 'manual' }, steps: [{ id: 'first', type: 'exit' }] });
      const id = await room.publish(CHECKOUT);
      const get = (path: string, expectation: number) => room.client.get(path, { expect: expectation });
      const ofIds = Buffer.from(UNKNOWN_ID).toString('base64url');
      for (const one of [manual, id]) {
        const { body } = await get(`/v1/automations/${one}/explanation?profile_id=${UNKNOWN_ID}&cursor=${ofIds}`, 400);
        expect(body.error.field).to.equal('cursor');
      }
      for (const query of ['', '?profile_id=ada']) {
        const { body } = await get(`/v1/automations/${id}/explanation${query}`, 400);
        expect(body.error.field).to.equal('profile_id');
      }
      const stranger = await room.newStore();
      await stranger.client.get(`/v1/automations/${id}/explanation?profile_id=${UNKNOWN_ID}`, { expect: 404 });
    });
  });

  describe('GET /v1/automations/{id}/preview', () => {
    const preview = async (id: string, query = ''): Promise<any[]> =>
      (await room.client.get(`/v1/automations/${id}/preview${query}`, { expect: 200 })).body.events;
    const draft = async (definition: Partial<Definition>): Promise<string> =>
      (await room.client.post('/v1/automations', { definition: { name: 'Draft', start: 'first', ...definition } })).body
        .id;

    it('says of the last events whether each would start a run, and why not', async () => {
      const id = await draft(CHECKOUT);
      await room.upsert('gold@example.com', { tier: 'gold' });
      await room.send('placed_order', 'buyer@example.com', {}, { occurred_at: '2026-01-01T00:00:00Z' });
      const sent: string[] = [];
      for (const [email, properties, more] of [
        ['gold@example.com', FITTING, {}],
        ['gold@example.com', FITTING, {}],
        ['buyer@example.com', FITTING, {}],
        ['new@example.com', FITTING, {}],
        ['gold@example.com', { ...FITTING, value: 10 }, {}],
        ['gold@example.com', FITTING, { occurred_at: '2026-01-02T00:00:00Z' }],
        ['gold@example.com', FITTING, { backfill: true }],
      ] as const) {
        sent.unshift(await room.send('started_checkout', email, properties, more));
      }
      const events = await preview(id);
      expect(events.map(({ event_id }) => event_id)).to.deep.equal(sent);
      expect(events.map(({ reason, enters }) => reason ?? enters)).to.deep.equal([
        ...['backfill', true, 'filter', 'entry_condition', true, true, true],
      ]);
      expect(events[2].detail.condition).to.include({ path: 'all[0]', saw: 10 });
      expect(await preview(id, '?definition=live')).to.deep.equal([]);
    });

    it('judges by the draft, or by the latest version', async () => {
      const id = await room.publish(CHECKOUT);
      await room.upsert('ada@example.com', { tier: 'gold' });
      await room.send('started_checkout', 'ada@example.com', { ...FITTING, value: 10 });
      const { body } = await room.client.get(`/v1/automations/${id}`);
      const definition = { ...body.draft, trigger: { type: 'event', event_type: 'started_checkout' } };
      await room.client.send('PUT', `/v1/automations/${id}`, JSON.stringify({ revision: body.revision, definition }), {
        headers: { 'Content-Type': 'application/json' },
        expect: 200,
      });
      expect((await preview(id))[0].enters).to.equal(true);
      expect((await preview(id, '?definition=live'))[0].reason).to.equal('filter');
    });

    it('is empty where no event triggers, and refuses a draft that can not decide', async () => {
      expect(
        await preview(await draft({ trigger: { type: 'manual' }, steps: [{ id: 'first', type: 'exit' }] })),
      ).to.deep.equal([]);
      const incomplete = await draft({ ...CHECKOUT, steps: [] });
      expect(await preview(incomplete)).to.deep.equal([]);
      const unfinished = await draft({ ...CHECKOUT, entry_condition: { did: { event_type: 'came', within: '' } } });
      const { body } = await room.client.get(`/v1/automations/${unfinished}/preview`, { expect: 400 });
      expect(body.error.field).to.equal('definition.entry_condition.did.within');
      await room.client.get(`/v1/automations/${UNKNOWN_ID}/preview`, { expect: 404 });
    });
  });
});
