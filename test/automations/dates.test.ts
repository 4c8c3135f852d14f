import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { EngineRoom } from './support/engine-room.ts';
import { inDays, toNextBirthday } from './support/in-days.ts';

function onBirthday(at: string, offset: string): Partial<Definition> {
  return {
    trigger: { type: 'date', attribute: 'birthday', repeat: 'yearly', offset, at },
    time_zone: { attribute: 'time_zone', default: 'UTC' },
    steps: [{ id: 'first', type: 'emit_event', event_type: 'congratulated', next: null }],
  };
}

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
    const { day, at } = inDays(10);
    await room.upsert('ada@example.com', { birthday: day });
    const id = await room.publish(onBirthday(at, '-P7D'));
    await room.settle();
    room.pass('P3DT1H');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'event_emitted', 'ended: completed']);
    await room.publish(onBirthday(at, 'P0D'), id);
    await room.settle();
    room.pass('P7D');
    await room.settle();
    expect(await room.runs(id)).to.have.length(1);
    room.pass(toNextBirthday(day));
    await room.settle();
    expect(await room.runs(id)).to.have.length(2);
  });

  it('are not put off by a year where the customer moves while they are due', async () => {
    const { day, at } = inDays(1);
    await room.upsert('ada@example.com', { birthday: day, time_zone: 'UTC' });
    const id = await room.publish(onBirthday(at, 'P0D'));
    await room.settle();
    room.pass('P1DT1H');
    await room.upsert('ada@example.com', { time_zone: 'Africa/Abidjan' });
    await room.read();
    await room.settle();
    room.pass('PT2H');
    await room.settle();
    expect(await room.runs(id)).to.have.length(1);
  });
});
