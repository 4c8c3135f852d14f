import { expect } from 'chai';
import type { Goal } from '../../src/domain/automations/core/definition/definition.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const ADA = 'ada@example.com';

describe('Goals of automations', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  const definition = (goal: Partial<Goal>, more: object = {}) => ({
    trigger: { type: 'event', event_type: 'came' } as const,
    goal: { event_type: 'ordered', within: 'P7D', ...goal },
    reentry: { mode: 'every_time', per: 'profile' } as const,
    steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }] as const,
    ...more,
  });
  const stats = async (id: string) => {
    const { goal } = (await room.client.get(`/v1/automations/${id}/stats`, { expect: 200 })).body;
    return goal && [goal.entered, goal.reached, goal.rate];
  };
  const come = async (...emails: string[]) => {
    for (const email of emails) await room.send('came', email);
    await room.settle();
  };
  const order = async (email: string, properties: object = {}, more: object = {}) => {
    await room.send('ordered', email, properties, more);
    await room.settle();
  };

  it('end a run at once, and count it once', async () => {
    const id = await room.publish(definition({}));
    await come(ADA, 'grace@example.com');
    expect(await stats(id)).to.deep.equal([2, 0, 0]);
    await order(ADA);
    await order(ADA);
    expect(await room.outcomes(id)).to.deep.equal(['started', 'delayed', 'ended: goal_reached', 'started', 'delayed']);
    expect(await stats(id)).to.deep.equal([2, 1, 0.5]);
  });

  it('count for runs that have ended, within their time and not after it', async () => {
    const id = await room.publish(definition({}));
    await come(ADA, 'grace@example.com');
    room.pass('P2D');
    await room.settle();
    expect((await room.outcomes(id)).filter((one) => one === 'ended: completed')).to.have.length(2);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    await order(ADA, {}, { occurred_at: inDays(2) });
    room.pass('P6D');
    await order('grace@example.com', {}, { occurred_at: inDays(8) });
    expect(await stats(id)).to.deep.equal([2, 1, 0.5]);
  });

  it('only count where the run is to go on, by filter and key, and not by history', async () => {
    const goal = {
      on_reached: 'continue' as const,
      match_key: { property: 'cart' },
      filter: { property: 'value', op: 'gte', value: 10 } as const,
    };
    const id = await room.publish(definition(goal, { key: { property: 'cart' } }));
    for (const cart of ['a', 'b']) await room.send('came', ADA, { cart });
    await room.settle();
    await order(ADA, { cart: 'a', value: 9 });
    await order(ADA, { cart: 'c', value: 20 });
    await order(ADA, { cart: 'b', value: 20 }, { backfill: true });
    expect(await stats(id)).to.deep.equal([2, 0, 0]);
    await order(ADA, { cart: 'a', value: 20 });
    expect(await stats(id)).to.deep.equal([2, 1, 0.5]);
    expect((await room.runs(id)).map(({ status }) => status)).to.deep.equal(['active', 'active']);
  });

  it('count an event that a wait has waited for, too', async () => {
    const steps = [
      { id: 'first', type: 'wait', for: [{ event_type: 'ordered', next: null }], timeout: 'P3D', on_timeout: null },
    ];
    const id = await room.publish(definition({ on_reached: 'continue' }, { steps }));
    await come(ADA);
    await order(ADA);
    expect(await room.outcomes(id)).to.deep.equal(['started', 'waiting', 'matched', 'ended: completed']);
    expect(await stats(id)).to.deep.equal([1, 1, 1]);
  });

  it('are of the version that a run is on', async () => {
    const id = await room.publish(definition({}));
    await come(ADA);
    await room.publish(definition({ event_type: 'subscribed' }), id);
    await come('grace@example.com');
    await order(ADA);
    await order('grace@example.com');
    const { goal } = (await room.client.get(`/v1/automations/${id}/stats`, { expect: 200 })).body;
    expect(goal.versions.map(({ version, entered, reached }: any) => [version, entered, reached])).to.deep.equal([
      [2, 1, 0],
      [1, 1, 1],
    ]);
  });

  it('end a simulation, and are refused where they are wrong', async () => {
    await room.upsert(ADA, {});
    const create = async (goal: object) => {
      const input = { definition: { name: 'Test', start: 'first', ...definition(goal) } };
      return (await room.client.post('/v1/automations', input, { expect: 201 })).body;
    };
    const { id, problems } = await create({});
    expect(problems).to.deep.equal([]);
    const request = { profile: { email: ADA }, assume: [{ event: { event_type: 'ordered' }, after: 'PT1H' }] };
    const { body } = await room.client.post(`/v1/automations/${id}/simulate`, request, { expect: 200 });
    expect(body.run).to.include({ status: 'ended', reason: 'goal_reached' });
    expect((await create({ within: 'P91D' })).problems[0].field).to.equal('goal.within');
    expect((await create({ match_key: { property: 'cart' } })).problems[0].field).to.equal('goal.match_key');
  });

  it('are not told of where no automation has one', async () => {
    const id = await room.publish({ ...definition({}), goal: undefined } as any);
    await come(ADA);
    expect(await stats(id)).to.equal(undefined);
  });
});
