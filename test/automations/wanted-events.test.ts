import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { readChanges } from '../../src/domain/automations/engine/read-changes.ts';
import { EngineRoom } from './support/engine-room.ts';

const EXITING: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'asked' },
  reentry: { mode: 'every_time', per: 'profile' },
  exit_on: [{ event_type: 'left' }],
  steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
};

describe('Events that only end or wake runs', () => {
  let first: EngineRoom;
  let room: EngineRoom;

  before(async () => {
    first = await EngineRoom.open();
  });
  beforeEach(async () => {
    room = await first.newStore();
  });
  after(() => first.close());

  const endsOf = async (id: string) => (await room.outcomes(id)).filter((outcome) => outcome.startsWith('ended'));

  it('end a run that an event just before has started, though the automation is paused right after', async () => {
    const id = await room.publish(EXITING);
    await room.send('left', 'ada@example.com');
    await room.send('asked', 'ada@example.com');
    await room.send('left', 'ada@example.com');
    await room.send('left', 'nobody@example.com');
    await room.setStatus(id, 'paused');
    await readChanges(room.db, room.storeId, room.tools);
    expect(await endsOf(id)).to.deep.equal(['ended: exit_event']);
  });

  it('end a run that a change of the profile just before has started', async () => {
    await room.upsert('ada@example.com', { plan: 'free' });
    const id = await room.publish({ ...EXITING, trigger: { type: 'profile_change', attribute: 'plan' } });
    await room.upsert('ada@example.com', { plan: 'pro' });
    await room.send('left', 'ada@example.com');
    await room.setStatus(id, 'paused');
    await readChanges(room.db, room.storeId, room.tools);
    expect(await endsOf(id)).to.deep.equal(['ended: exit_event']);
  });

  it('end all runs that there are, and those of other automations too', async () => {
    const ids = [await room.publish(EXITING), await room.publish({ ...EXITING, exit_on: [{ event_type: 'asked' }] })];
    for (let i = 0; i < 3; i += 1) await room.send('asked', 'ada@example.com');
    await room.settle();
    await room.send('left', 'ada@example.com');
    await room.settle();
    expect(await Promise.all(ids.map(async (id) => (await endsOf(id)).length))).to.deep.equal([3, 2]);
  });

  it('do not matter to how many runs a customer may have', async () => {
    const { exit_on: _, ...definition } = EXITING;
    const id = await room.publish(definition);
    const events = Array.from({ length: 600 }, () => ({
      event_type: 'asked',
      profile: { email: 'ada@example.com' },
    }));
    for (let i = 0; i < 2; i += 1) {
      await room.client.post('/v1/events/bulk', { events }, { expect: 201 });
      await room.read();
    }
    expect(await room.runs(id)).to.have.length(1_000);
    expect(await room.skips(id))
      .to.have.length(200)
      .and.to.include('too_many_runs');
  });
});
