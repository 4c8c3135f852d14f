import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { SCOPES } from '../../src/domain/caller.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const CART: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'started_checkout' },
  key: { property: 'cart_id' },
  reentry: { mode: 'every_time', per: 'key' },
  exit_on: [{ event_type: 'placed_order', match_key: { property: 'cart_id' } }],
  steps: [
    { id: 'first', type: 'delay', for: 'PT1H', next: 'tier' },
    {
      id: 'tier',
      type: 'branch',
      cases: [{ when: { all: [{ attribute: 'tier', op: 'eq', value: 'gold' }] }, next: 'gift' }],
      else: 'end',
    },
    { id: 'gift', type: 'set_profile', set: { gift: { from: 'event.properties.cart_id' } }, next: 'end' },
    { id: 'end', type: 'exit', reason: 'done' },
  ],
};

/** Fails for whoever has 400 attributes already. */
const FAILING: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'came' },
  steps: [{ id: 'first', type: 'set_profile', set: { came: true }, next: null }],
};

describe('Runs', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  const listed = async (path: string): Promise<any[]> => (await room.client.get(path, { expect: 200 })).body.runs;

  /** All pages of a list; no run twice. */
  async function allPages(path: string): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = `${path.includes('?') ? '&' : '?'}limit=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await room.client.get(path + query, { expect: 200 });
      ids.push(...body.runs.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    expect(new Set(ids).size).to.equal(ids.length);
    return ids;
  }

  async function startCarts(id: string, carts: string[], email = 'ada@example.com'): Promise<void> {
    for (const cart_id of carts) await room.send('started_checkout', email, { cart_id });
    await room.settle();
    expect(await room.runs(id)).to.have.length.at.least(carts.length);
  }

  async function fail(): Promise<string> {
    await room.upsert('full@example.com', Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`a${i}`, i])));
    const id = await room.publish(FAILING);
    await room.send('came', 'full@example.com');
    for (let i = 0; i < 5; i += 1) {
      await room.settle();
      room.pass('PT1H');
    }
    return id;
  }

  describe('GET /v1/automations/{id}/runs', () => {
    it('lists the runs, the one started last first, page by page', async () => {
      const id = await room.publish(CART);
      await startCarts(id, ['a', 'b', 'c', 'd', 'e']);
      const runs = await listed(`/v1/automations/${id}/runs`);
      expect(runs.map(({ key }) => key)).to.deep.equal(['e', 'd', 'c', 'b', 'a']);
      expect(runs[0]).to.deep.include({
        ...{ automation_id: id, version: 1, status: 'active', step_id: 'first', failed_attempts: 0, reason: null },
        ...{ ended_at: null },
      });
      expect(runs[0].trigger).to.include({ type: 'event' });
      expect(runs[0].waiting).to.include({ for: 'delay' });
      for (const filter of ['', '?status=active', '?status=active&step=first', '?version=1', '?step=first']) {
        expect(await allPages(`/v1/automations/${id}/runs${filter}`)).to.deep.equal(runs.map((run) => run.id));
      }
    });

    it('filters by status, step, version, time and customer, alone and together', async () => {
      const id = await room.publish(CART);
      const grace = await room.upsert('grace@example.com', { tier: 'gold' });
      await startCarts(id, ['a', 'b']);
      await startCarts(id, ['c'], 'grace@example.com');
      await room.send('placed_order', 'ada@example.com', { cart_id: 'b' });
      await room.publish(CART, id);
      await startCarts(id, ['d']);
      const list = `/v1/automations/${id}/runs`;
      const all = await listed(list);
      const middle = all.find(({ key }) => key === 'c').started_at;
      const keys = async (query: string) => (await listed(`${list}?${query}`)).map(({ key }) => key);
      expect(await keys('status=ended')).to.deep.equal(['b']);
      expect(await keys('status=active')).to.deep.equal(['d', 'c', 'a']);
      expect(await keys('status=failed')).to.deep.equal([]);
      expect(await keys('step=first')).to.deep.equal(['d', 'c', 'b', 'a']);
      expect(await keys('step=end')).to.deep.equal([]);
      expect(await keys('version=2')).to.deep.equal(['d']);
      expect(await keys('status=active&version=1')).to.deep.equal(['c', 'a']);
      expect(await keys('status=active&step=first&version=1')).to.deep.equal(['c', 'a']);
      expect(await keys(`profile_id=${grace}`)).to.deep.equal(['c']);
      expect(await keys(`profile_id=${UNKNOWN_ID}`)).to.deep.equal([]);
      expect(await keys(`profile_id=${grace}&status=ended`)).to.deep.equal([]);
      expect(await keys(`from=${middle}`))
        .to.include.members(['d', 'c'])
        .and.not.include('a');
      expect(await keys(`to=${middle}`))
        .to.include.members(['a'])
        .and.not.include('d');
      expect(await keys('from=0001-01-01T00:00:00Z&to=9999-01-01T00:00:00Z')).to.have.length(4);
    });

    it('lists runs that have failed', async () => {
      const id = await fail();
      const [run, ...others] = await listed(`/v1/automations/${id}/runs?status=failed&step=first`);
      expect(others).to.have.length(0);
      expect(run).to.include({ status: 'failed', reason: 'validation_error', failed_attempts: 5, due_at: null });
    });

    it('refuses a range that ends before it begins, and cursors of other lists', async () => {
      const id = await room.publish(CART);
      const list = `/v1/automations/${id}/runs`;
      const { body } = await room.client.get(`${list}?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`, {
        expect: 400,
      });
      expect(body.error.field).to.equal('from');
      const time = Buffer.from(`1795166127412 ${UNKNOWN_ID}`).toString('base64url');
      for (const cursor of ['x', time]) {
        const refused = await room.client.get(`${list}?cursor=${cursor}`, { expect: 400 });
        expect(refused.body.error.field).to.equal('cursor');
      }
      await room.client.get(`/v1/automations/${UNKNOWN_ID}/runs`, { expect: 404 });
    });
  });

  describe('GET /v1/profiles/{id}/runs', () => {
    it('lists the runs of one customer in all automations', async () => {
      const [one, other] = [await room.publish(CART), await room.publish(CART)];
      await startCarts(one, ['a', 'b']);
      await startCarts(one, ['c'], 'grace@example.com');
      await room.send('placed_order', 'ada@example.com', { cart_id: 'a' });
      await room.settle();
      const [{ profile_id: ada }] = (await listed(`/v1/automations/${one}/runs`)).slice(-1);
      const list = `/v1/profiles/${ada}/runs`;
      expect((await listed(list)).map(({ automation_id }) => automation_id)).to.have.members([one, one, other, other]);
      expect(await allPages(list)).to.have.length(4);
      expect((await listed(`${list}?status=active`)).map(({ key }) => key)).to.deep.equal(['b', 'b']);
      expect(await listed(`${list}?to=2026-01-01T00:00:00Z`)).to.have.length(0);
      await room.client.get(`/v1/profiles/${UNKNOWN_ID}/runs`, { expect: 404 });
    });
  });

  describe('GET /v1/runs/{id}', () => {
    it('tells what was decided, when and why', async () => {
      const id = await room.publish(CART);
      await room.upsert('ada@example.com', { tier: 'gold' });
      await startCarts(id, ['a']);
      room.pass('PT1H');
      await room.settle();
      const [{ id: runId }] = await listed(`/v1/automations/${id}/runs`);
      const { body } = await room.client.get(`/v1/runs/${runId}`, { expect: 200 });
      expect(body).to.include({ status: 'ended', reason: 'exit_step', step_id: 'end', key: 'a', due_at: null });
      const told = body.timeline.map((one: any) => [one.seq, one.step_id, one.outcome]);
      expect(told).to.deep.equal([
        [1, 'first', 'started'],
        [2, 'first', 'delayed'],
        [3, 'tier', 'branched'],
        [4, 'gift', 'profile_set'],
        [5, 'end', 'ended'],
      ]);
      const details = body.timeline.map(({ detail }: any) => detail);
      expect(details[0]).to.deep.equal({ key: 'a', version: 1 });
      expect(details[2]).to.deep.equal({
        case: 0,
        condition: { path: 'all[0]', condition: { attribute: 'tier', op: 'eq', value: 'gold' }, saw: 'gold' },
        next: 'gift',
      });
      expect(details[3]).to.deep.equal({ set: { gift: 'a' }, unset: [] });
      expect(details[4]).to.deep.equal({ reason: 'exit_step', text: 'done' });
    });

    it('tells which event ended it, and each attempt at a step that fails', async () => {
      const id = await room.publish(CART);
      await startCarts(id, ['a']);
      const order = await room.send('placed_order', 'ada@example.com', { cart_id: 'a' });
      await room.settle();
      const [{ id: runId }] = await listed(`/v1/automations/${id}/runs`);
      const { body } = await room.client.get(`/v1/runs/${runId}`, { expect: 200 });
      expect(body.timeline.at(-1).detail.event).to.include({ index: 0, event_id: order });
      const [{ id: failed }] = await listed(`/v1/automations/${await fail()}/runs`);
      const { timeline } = (await room.client.get(`/v1/runs/${failed}`, { expect: 200 })).body;
      expect(timeline.map(({ outcome }: any) => outcome)).to.deep.equal([
        'started',
        ...Array(4).fill('attempt_failed'),
        'failed',
      ]);
      expect(timeline.at(-1).detail).to.deep.equal({ code: 'validation_error', attempt: 5 });
    });
  });

  describe('POST /v1/runs/{id}/exit', () => {
    it('ends a run wherever it is, and leaves one that has ended as it is', async () => {
      const id = await room.publish(CART);
      await startCarts(id, ['a']);
      const [{ id: runId }] = await listed(`/v1/automations/${id}/runs`);
      const { body: ended } = await room.client.post(`/v1/runs/${runId}/exit`, undefined, { expect: 200 });
      expect(ended).to.include({ id: runId, status: 'ended', reason: 'requested', step_id: 'first', due_at: null });
      const { body: again } = await room.client.post(`/v1/runs/${runId}/exit`, undefined, { expect: 200 });
      expect(again).to.deep.equal(ended);
      room.pass('PT1H');
      await room.settle();
      expect((await room.outcomes(id)).at(-1)).to.equal('ended: requested');
      const { timeline } = (await room.client.get(`/v1/runs/${runId}`)).body;
      expect(timeline.at(-1).detail.by).to.match(/^[0-9a-f-]{36}$/);
    });

    it('ends a run that has failed', async () => {
      const [{ id: runId }] = await listed(`/v1/automations/${await fail()}/runs`);
      const { body } = await room.client.post(`/v1/runs/${runId}/exit`, undefined, { expect: 200 });
      expect(body).to.include({ status: 'ended', reason: 'requested' });
    });
  });

  describe('POST /v1/runs/{id}/retry', () => {
    it('lets a failed run go on from the step that failed', async () => {
      const id = await fail();
      const [{ id: runId }] = await listed(`/v1/automations/${id}/runs`);
      await room.upsert('full@example.com', { a0: null });
      const scopes = SCOPES.filter((scope) => scope !== 'profiles:write');
      const { key } = await room.service.newKey({ storeId: room.storeId, scopes });
      const refused = await room.client.as(key).post<any>(`/v1/runs/${runId}/retry`, undefined, { expect: 403 });
      expect(refused.body.error.message).to.include('profiles:write');
      const { body } = await room.client.post(`/v1/runs/${runId}/retry`, undefined, { expect: 200 });
      expect(body).to.include({ status: 'active', failed_attempts: 0, reason: null, step_id: 'first' });
      await room.settle();
      expect((await room.outcomes(id)).slice(-3)).to.deep.equal(['retried', 'profile_set', 'ended: completed']);
    });

    it('leaves any other run as it is', async () => {
      const id = await room.publish(CART);
      await startCarts(id, ['a']);
      const [run] = await listed(`/v1/automations/${id}/runs`);
      const { body } = await room.client.post(`/v1/runs/${run.id}/retry`, undefined, { expect: 200 });
      expect(body).to.deep.equal(run);
      await room.client.post(`/v1/runs/${UNKNOWN_ID}/retry`, undefined, { expect: 404 });
    });
  });
});
