import { expect } from 'chai';
import { EngineRoom } from './support/engine-room.ts';

describe('History that automations look at', () => {
  let room: EngineRoom;

  before(async () => {
    room = await EngineRoom.open();
  });
  after(() => room.close());

  it('may begin a hundred years ago', async () => {
    const ids = [];
    for (const within of ['P36500D', 'P104000000D']) {
      const id = await room.publish({
        trigger: { type: 'event', event_type: 'asked' },
        entry_condition: { did: { event_type: 'asked', at_least: 1, within } },
        steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
      });
      ids.push(id);
    }
    await room.send('asked', 'ada@example.com');
    await room.settle();
    for (const id of ids) expect(await room.runs(id)).to.have.length(1);
  });
});
