import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { EngineRoom } from './support/engine-room.ts';

const BIRTHDAY: Partial<Definition> = {
  trigger: { type: 'date', attribute: 'birthday', repeat: 'yearly', offset: '-P7D', at: '09:00' },
  steps: [{ id: 'first', type: 'emit_event', event_type: 'congratulated', next: null }],
};

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('Dates of automations', () => {
  let first: EngineRoom;
  let room: EngineRoom;

  before(async () => {
    first = await EngineRoom.open();
  });
  beforeEach(async () => {
    room = await first.newStore();
  });
  after(() => first.close());

  it('start one run for one birthday, though a later version has it on another day, and the next for the next', async () => {
    await room.upsert('ada@example.com', { birthday: inDays(10) });
    const id = await room.publish(BIRTHDAY);
    await room.settle();
    room.pass('P4D');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'event_emitted', 'ended: completed']);
    await room.publish({ ...BIRTHDAY, trigger: { ...BIRTHDAY.trigger, offset: 'P0D' } as Definition['trigger'] }, id);
    await room.settle();
    room.pass('P7D');
    await room.settle();
    expect(await room.runs(id)).to.have.length(1);
    room.pass('P365D');
    await room.settle();
    expect(await room.runs(id)).to.have.length(2);
  });
});
