import { expect } from 'chai';
import { Shop } from '../messages/support/shop.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { EngineRoom } from './support/engine-room.ts';

const ADA = 'ada@shop.example';

describe('The step assign_coupon', () => {
  let engine: EngineRoom;
  let room: EngineRoom;
  let pool: string;

  before(async () => {
    engine = await EngineRoom.open();
  });
  beforeEach(async () => {
    room = await engine.newStore();
    pool = await newPool();
  });
  after(() => engine.close());

  const newPool = async (more: object = {}): Promise<string> => {
    const input = { name: 'Welcome', kind: 'uploaded', ...more };
    return (await room.client.post<any>('/v1/coupon-pools', input, { expect: 201 })).body.id;
  };
  const add = (...codes: string[]) => room.client.post(`/v1/coupon-pools/${pool}/codes`, { codes }, { expect: 200 });
  const coupons = async () =>
    (await room.client.get<any>(`/v1/coupon-pools/${pool}/codes?limit=100`)).body.codes.toReversed();
  const assign = (more: object = {}) => ({
    ...{ id: 'first', type: 'assign_coupon', pool_id: pool, next: 'set' },
    ...more,
  });
  const set = {
    ...{ id: 'set', type: 'set_profile', next: null },
    set: { code: { from: 'coupon.code' }, until: { from: 'coupon.expires_at' } },
  };
  const definition = (steps: object[], more: object = {}) =>
    ({ trigger: { type: 'event', event_type: 'started' }, steps, ...more }) as any;
  const start = async (email = ADA) => {
    await room.send('started', email);
    await room.settle();
  };
  const runs = async (automation: string) => {
    const { body } = await room.client.get<any>(`/v1/automations/${automation}/runs`);
    return await Promise.all(body.runs.map(async ({ id }: any) => (await room.client.get<any>(`/v1/runs/${id}`)).body));
  };
  const attributes = async (email = ADA) =>
    (await room.client.get<any>(`/v1/profiles?email=${encodeURIComponent(email)}`)).body.profiles[0].attributes;
  const refusal = async (steps: object[]) => {
    const draft = definition(steps, { name: 'Test', start: 'first' });
    const { id } = (await room.client.post<any>('/v1/automations', { definition: draft }, { expect: 201 })).body;
    const { body } = await room.client.post<any>(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: 400 });
    return body.error.message;
  };

  it('gives the customer a code that later steps know, the same in every run', async () => {
    await add('A', 'B');
    const id = await room.publish(definition([assign(), set], { reentry: { mode: 'every_time' } }));
    await start();
    await start();
    expect(await attributes()).to.deep.equal({ code: 'A' });
    const [run] = await runs(id);
    expect(run).to.include({ status: 'ended', reason: 'completed' });
    expect(run.timeline[1]).to.deep.include({ outcome: 'coupon_assigned', detail: { pool_id: pool } });
    const [given, free] = await coupons();
    expect(given).to.include({ code: 'A', status: 'assigned', profile_id: run.profile_id });
    expect(free).to.include({ status: 'free' });
  });

  it('gives each run another code, where the pool has one per run', async () => {
    pool = await newPool({ per: 'run', expires_at: '2099-09-01T00:00:00Z' });
    await add('A', 'B', 'C');
    const id = await room.publish(definition([assign(), set], { reentry: { mode: 'every_time' } }));
    await start();
    expect(await attributes()).to.deep.equal({ code: 'A', until: '2099-09-01T00:00:00.000Z' });
    await start();
    expect(await attributes()).to.include({ code: 'B' });
    const of = (await runs(id)).map((run: any) => run.id).toReversed();
    expect((await coupons()).map(({ run_id }: any) => run_id)).to.deep.equal([...of, null]);
  });

  it('is in what messages say', async () => {
    await add('A&B');
    const shop = Shop.of(room.service.database, room.client, room.storeId);
    const template_id = await shop.template({ class: 'transactional', body: '<p>{{ coupon.code }}</p>' });
    const mail = { id: 'mail', type: 'send_email', template_id, next: null };
    await room.publish(definition([assign({ next: 'mail' }), mail]));
    await start();
    const [{ id }] = (await room.client.get<any>('/v1/messages')).body.messages;
    await shop.ended(id);
    expect((await shop.content(id)).html).to.include('<p>A&amp;B</p>');
  });

  it('waits for a code, looks again, and fails after three days, to be retried', async () => {
    const id = await room.publish(definition([assign(), set]));
    await start();
    expect((await runs(id))[0]).to.deep.include({ status: 'active', step_id: 'first' });
    expect((await runs(id))[0].waiting.for).to.equal('coupon');
    room.pass('PT1H');
    await room.settle();
    expect((await runs(id))[0].timeline).to.have.length(2);
    await add('A');
    room.pass('PT15M');
    await room.settle();
    expect(await attributes()).to.deep.equal({ code: 'A' });
    await start('eve@shop.example');
    room.pass('P3D');
    await room.settle();
    room.pass('PT1S');
    await room.settle();
    const [failed] = await runs(id);
    expect(failed).to.include({ status: 'failed', reason: 'coupon_pool_empty' });
    await add('B');
    await room.client.send('POST', `/v1/runs/${failed.id}/retry`, undefined, { expect: 200 });
    await room.settle();
    expect(await attributes('eve@shop.example')).to.deep.equal({ code: 'B' });
  });

  it('goes on, or ends, where the pool is empty or has expired and it says so', async () => {
    const going = await room.publish(definition([assign({ on_empty: 'continue' }), set]));
    const ending = await room.publish(definition([assign({ on_empty: 'exit' }), set]));
    await start();
    expect((await runs(going))[0]).to.include({ status: 'ended', reason: 'completed' });
    expect(await attributes()).to.deep.equal({});
    const [ended] = await runs(ending);
    expect(ended).to.include({ status: 'ended', reason: 'no_coupon' });
    expect(ended.timeline[1].detail).to.deep.equal({ pool_id: pool, result: 'empty', next: null });
    const waiting = await room.publish(definition([assign(), set]));
    const body = JSON.stringify({ expires_at: '2025-01-01T00:00:00Z' });
    const headers = { 'Content-Type': 'application/json' };
    await room.client.send('PATCH', `/v1/coupon-pools/${pool}`, body, { headers, expect: 200 });
    await start('eve@shop.example');
    expect((await runs(waiting))[0]).to.include({ status: 'failed', reason: 'coupon_pool_expired' });
  });

  it('gives no two customers the same, and nobody one that is not there', async () => {
    await add(...Array.from({ length: 30 }, (_, n) => `CODE-${n}`));
    const id = await room.publish(definition([assign(), set]));
    const emails = Array.from({ length: 40 }, (_, n) => `c${n}@shop.example`);
    await Promise.all(emails.map((email) => room.send('started', email)));
    await room.settle();
    const all = await runs(id);
    expect(all.filter(({ status }: any) => status === 'ended')).to.have.length(30);
    const given = await coupons();
    expect(given.every(({ status }: any) => status === 'assigned')).to.equal(true);
    expect(new Set(given.map(({ profile_id }: any) => profile_id))).to.have.property('size', 30);
  });

  it('shows in a simulation what it would do, and gives out nothing', async () => {
    await add('A');
    const id = await room.publish(definition([assign(), set]));
    const { id: event } = (
      await room.client.post<any>('/v1/events', { event_type: 'started', profile: { email: 'eve@shop.example' } })
    ).body;
    const { body } = await room.client.post<any>(
      `/v1/automations/${id}/simulate`,
      { event_id: event, version: 1 },
      { expect: 200 },
    );
    expect(body.timeline.map(({ outcome }: any) => outcome)).to.include('coupon_assigned');
    expect((await coupons())[0]).to.include({ status: 'free' });
  });

  it('needs a pool of the store, which is not deleted while it is named', async () => {
    expect(await refusal([assign({ pool_id: UNKNOWN_ID, next: null })])).to.equal(
      'steps[0].pool_id is not the id of a coupon pool of the store',
    );
    expect(await refusal([{ ...set, id: 'first' }])).to.include('needs a step assign_coupon before it');
    await room.publish(definition([assign(), set]));
    const { body, status } = await room.client.send<any>('DELETE', `/v1/coupon-pools/${pool}`, undefined);
    expect([status, body.error.message]).to.deep.equal([400, body.error.message]);
    expect(body.error.message).to.match(/^The pool is used by version 1 of the automation/);
  });
});
