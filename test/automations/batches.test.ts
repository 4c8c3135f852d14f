import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const WAITS: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'asked' },
  reentry: { mode: 'every_time', per: 'profile' },
  exit_on: [{ event_type: 'left' }],
  steps: [
    { id: 'first', type: 'set_profile', set: { asked: true }, next: 'one' },
    ...['one', 'two'].map((id, i) => ({
      ...{ id, type: 'wait' as const, since: 'step' as const, timeout: 'P9D', on_timeout: null },
      for: [
        { event_type: 'a', next: i === 0 ? 'two' : 'end' },
        { event_type: 'b', next: 'end' },
      ],
    })),
    { id: 'end', type: 'wait', for: [{ event_type: 'never', next: null }], timeout: 'P9D', on_timeout: null },
  ],
};
const ADA = { profile: { email: 'ada@example.com' } };

describe('A history that comes in several requests, or in one', () => {
  let room: EngineRoom;
  let id: string;

  useRooms(async (one) => {
    room = one;
    id = await room.publish(WAITS);
  });

  const record = (...types: string[]) => {
    const events = types.map((event_type) => ({ event_type, ...ADA }));
    return room.client.post('/v1/events/bulk', { events }, { expect: 201 });
  };
  const outcomes = async () => (await room.outcomes(id)).join(' ');

  for (const requests of [
    [['a', 'asked', 'a', 'b']],
    [
      ['a', 'asked'],
      ['a', 'b'],
    ],
    [['a'], ['asked'], ['a'], ['b']],
  ]) {
    for (const looks of [true, false]) {
      it(`leads to the same branches: ${JSON.stringify(requests)}${looks ? ', looked at after each' : ''}`, async () => {
        for (const types of requests) {
          await record(...types);
          if (looks) await room.settle();
        }
        await room.settle();
        const matched = (await room.timeline(id)).filter(({ outcome }) => outcome === 'matched');
        expect(matched.map(({ step, detail }) => [step, (detail.event as any).index])).to.deep.equal([
          ['one', 0],
          ['two', 1],
        ]);
        expect((await room.runs(id)).map(({ step }) => step)).to.deep.equal(['end']);
      });
    }
  }

  it('is not ended by what was recorded before the trigger in the same request, but by what came after', async () => {
    await record('left', 'a', 'asked');
    await room.settle();
    expect(await outcomes()).to.equal('started profile_set waiting');
    await record('left');
    await room.settle();
    expect(await outcomes()).to.equal('started profile_set waiting ended: exit_event');
  });

  it('takes the event that was recorded first, although another one is said to have happened before', async () => {
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
    const events = [
      { event_type: 'asked', occurred_at: ago(60) },
      { event_type: 'b', occurred_at: ago(10) },
      { event_type: 'a', occurred_at: ago(20) },
    ];
    await room.client.post('/v1/events/bulk', { events: events.map((one) => ({ ...one, ...ADA })) }, { expect: 201 });
    await room.settle();
    expect((await room.timeline(id)).find(({ outcome }) => outcome === 'matched')?.detail).to.deep.include({
      next: 'end',
    });
  });
});
