import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';
import { inDays } from './support/in-days.ts';

const BECAME_GOLD: Partial<Definition> = {
  trigger: {
    type: 'profile_change',
    attribute: 'tier',
    from: { op: 'neq', value: 'gold' },
    to: { op: 'eq', value: 'gold' },
  },
  reentry: { mode: 'every_time', per: 'profile' },
  steps: [{ id: 'first', type: 'emit_event', event_type: 'became_gold', next: null }],
};

const WAITS_FOR_GOLD: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'asked' },
  steps: [
    {
      id: 'first',
      type: 'wait',
      for: [{ when: { attribute: 'tier', op: 'eq', value: 'gold' }, next: null }],
      timeout: 'P1D',
      on_timeout: null,
    },
  ],
};

describe('Automations that follow attributes', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  it('start with a change, also of a new customer, and with each of several', async () => {
    await room.upsert('before@example.com', { tier: 'gold' });
    const id = await room.publish(BECAME_GOLD);
    await room.upsert('new@example.com', { tier: 'gold' });
    await room.upsert('before@example.com', { tier: 'gold' });
    await room.upsert('ada@example.com', { tier: 'silver' });
    for (const tier of ['gold', 'silver', 'gold', 'gold']) await room.upsert('ada@example.com', { tier });
    await room.upsert('ada@example.com', { colour: 'gold' });
    await room.settle();
    expect(await room.runs(id)).to.have.length(3);
  });

  it('start with what came with an event, but not with what was backfilled', async () => {
    const id = await room.publish(BECAME_GOLD);
    const attributes = { email: 'ada@example.com', properties: { tier: 'gold' } };
    const event = (more: object) => ({
      data: {
        type: 'event',
        attributes: {
          properties: {},
          metric: { data: { type: 'metric', attributes: { name: 'Upgraded' } } },
          profile: { data: { type: 'profile', attributes } },
          ...more,
        },
      },
    });
    await room.client.post('/compat/v1/events', event({ backfill: true }), { expect: 202 });
    await room.settle();
    expect(await room.runs(id)).to.have.length(0);
    await room.upsert('ada@example.com', { tier: null });
    await room.client.post('/compat/v1/events', event({}), { expect: 202 });
    await room.settle();
    expect(await room.runs(id)).to.have.length(1);
  });

  it('start with what a file changes, unless that is history', async () => {
    await room.upsert('ada@example.com', { tier: 'silver' });
    const id = await room.publish(BECAME_GOLD);
    await room.importFile('email,tier\nada@example.com,gold\nnew@example.com,gold\n', { backfill: true });
    await room.settle();
    expect(await room.runs(id)).to.have.length(0);
    expect(await room.skips(id)).to.deep.equal([]);
    await room.upsert('ada@example.com', { tier: 'silver' });
    await room.importFile('email,tier\nada@example.com,gold\n');
    await room.settle();
    expect(await room.runs(id)).to.have.length(1);
  });

  it('go on with what a file of history has made of the customer, and follow the dates in it', async () => {
    const { day, at } = inDays(3);
    const waiting = await room.publish(WAITS_FOR_GOLD);
    const reminding = await room.publish({
      trigger: { type: 'date', attribute: 'renewal', repeat: 'once', at },
      steps: [{ id: 'first', type: 'emit_event', event_type: 'reminded', next: null }],
    });
    await room.send('asked', 'ada@example.com');
    await room.settle();
    await room.importFile(`email,tier,renewal\nada@example.com,gold,${day}\n`, { backfill: true });
    await room.settle();
    expect((await room.outcomes(waiting)).slice(-2)).to.deep.equal(['matched', 'ended: completed']);
    room.pass('P3D');
    await room.settle();
    expect(await room.runs(reminding)).to.have.length(1);
  });

  it('go on when the profile has become what they wait for', async () => {
    const id = await room.publish(WAITS_FOR_GOLD);
    await room.send('asked', 'ada@example.com');
    await room.settle();
    await room.upsert('ada@example.com', { tier: 'silver' });
    await room.settle();
    expect((await room.outcomes(id)).at(-1)).to.equal('waiting');
    // What it was for a moment counts, though it is something else when the change is read.
    await room.upsert('ada@example.com', { tier: 'gold' });
    await room.upsert('ada@example.com', { tier: 'silver' });
    await room.settle();
    expect((await room.outcomes(id)).slice(-2)).to.deep.equal(['matched', 'ended: completed']);
  });

  it('go on when the profile has got the identifier that they wait for', async () => {
    const id = await room.publish({
      trigger: { type: 'event', event_type: 'asked' },
      steps: [
        {
          id: 'first',
          type: 'wait',
          for: [{ when: { identifier: 'phone', op: 'exists' }, next: null }],
          timeout: 'P1D',
          on_timeout: null,
        },
      ],
    });
    await room.send('asked', 'ada@example.com');
    await room.settle();
    await room.upsert('ada@example.com', { tier: 'silver' });
    await room.settle();
    expect((await room.outcomes(id)).at(-1)).to.equal('waiting');
    await room.send('called', 'ada@example.com', {}, { profile: { email: 'ada@example.com', phone: '+442079460958' } });
    await room.settle();
    expect((await room.outcomes(id)).slice(-2)).to.deep.equal(['matched', 'ended: completed']);
  });

  it('follow a date that moves', async () => {
    const { day, at } = inDays(3);
    await room.upsert('ada@example.com', { renewal: day });
    const id = await room.publish({
      trigger: { type: 'date', attribute: 'renewal', repeat: 'once', at },
      steps: [{ id: 'first', type: 'emit_event', event_type: 'reminded', next: null }],
    });
    await room.settle();
    await room.upsert('ada@example.com', { renewal: inDays(20).day });
    await room.upsert('grace@example.com', { renewal: day });
    await room.settle();
    room.pass('P3D');
    await room.settle();
    expect(await room.runs(id)).to.have.length(1);
    room.pass('P17D');
    await room.settle();
    expect(await room.runs(id)).to.have.length(2);
  });

  it('are told of what automations change, up to a depth', async () => {
    const flip = (from: string, to: string): Partial<Definition> => ({
      trigger: { type: 'profile_change', attribute: 'side', to: { op: 'eq', value: from } },
      reentry: { mode: 'every_time', per: 'profile' },
      steps: [{ id: 'first', type: 'set_profile', set: { side: to }, next: null }],
    });
    const [left, right] = [await room.publish(flip('left', 'right')), await room.publish(flip('right', 'left'))];
    await room.upsert('ada@example.com', { side: 'left' });
    for (let i = 0; i < 8; i += 1) await room.settle();
    expect([...(await room.runs(left)), ...(await room.runs(right))]).to.have.length(6);
    expect(await room.skips(left)).to.deep.equal(['chain_too_long']);
  });
});
