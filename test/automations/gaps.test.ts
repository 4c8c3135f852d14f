import { expect } from 'chai';
import { sql } from 'kysely';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { assignAllPositions } from '../../src/domain/feed/positions.ts';
import { EngineRoom } from './support/engine-room.ts';

const on = (event_type: string): Partial<Definition> => ({
  trigger: { type: 'event', event_type },
  steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
});

describe('Automations that have missed a part of the change feed', () => {
  let room: EngineRoom;

  before(async () => {
    room = await EngineRoom.open();
  });
  after(() => room.close());

  it('judge what comes after it by what was published in it', async () => {
    const id = await room.publish(on('asked'));
    await room.settle();
    await room.publish(on('ordered'), id);
    await room.send('ordered', 'missed@example.com');
    await assignAllPositions(room.db, room.storeId);
    await sql`delete from addition where store_id = ${room.storeId}`.execute(room.db);
    await room.send('ordered', 'ada@example.com');
    await room.settle();
    expect(await room.runs(id)).to.deep.equal([{ key: null, status: 'active', step: 'first', version: 2 }]);
    await room.publish(on('asked'), id);
    await assignAllPositions(room.db, room.storeId);
    await sql`delete from addition where store_id = ${room.storeId}`.execute(room.db);
    await room.settle();
    await room.send('asked', 'grace@example.com');
    await room.settle();
    expect((await room.runs(id)).map(({ version }) => version)).to.deep.equal([2, 3]);
  });

  for (const isNoticed of [true, false]) {
    it(`act on nobody who has left in it, ${isNoticed ? 'once' : 'before'} they know of it`, async () => {
      const id = await room.publish({
        trigger: { type: 'event', event_type: 'came' },
        exit_on: [{ event_type: 'left' }],
        steps: [
          { id: 'first', type: 'delay', for: 'PT1H', next: 'act' },
          { id: 'act', type: 'emit_event', event_type: 'written', next: null },
        ],
      });
      const email = `${isNoticed}@example.com`;
      await room.send('came', email);
      await room.settle();
      room.pass('PT2H');
      await room.send('left', email);
      await assignAllPositions(room.db, room.storeId);
      await sql`delete from addition where store_id = ${room.storeId}`.execute(room.db);
      if (isNoticed) {
        await room.send('asked', 'somebody@example.com');
        await room.read();
      }
      await room.step();
      expect((await room.outcomes(id)).at(-1)).to.equal('ended: exit_event');
      await room.setStatus(id, 'archived');
    });
  }
});
