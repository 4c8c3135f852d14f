import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { readChanges } from '../../src/domain/automations/engine/read-changes.ts';
import type { EngineTools } from '../../src/domain/automations/engine/tools.ts';
import { VersionCache } from '../../src/domain/automations/stored/version-cache.ts';
import { refuseRows } from '../support/obstacles.ts';
import { EngineRoom } from './support/engine-room.ts';

const EVENTS = 1_000;
/** Attempts to find one among so many, each with half of those that it may be among, and the batches before and after. */
const MOST_ATTEMPTS = 20;

const STARTING: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'came' },
  reentry: { mode: 'every_time', per: 'profile' },
  steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
};

/** Counts how often automations are loaded: once for each attempt to read. */
class CountingCache extends VersionCache {
  loads = 0;

  override load(...args: Parameters<VersionCache['load']>): ReturnType<VersionCache['load']> {
    this.loads += 1;
    return super.load(...args);
  }
}

describe('A change on which automations fail', () => {
  let first: EngineRoom;
  let room: EngineRoom;
  let errors: unknown[];
  let versions: CountingCache;
  let tools: EngineTools;

  before(async () => {
    first = await EngineRoom.open();
    await refuseRows(first.service.database, 'automation_run', `new.captured::text like '%poison%'`, '22023');
  });
  beforeEach(async () => {
    room = await first.newStore();
    errors = [];
    versions = new CountingCache();
    const log = Object.assign(Object.create(room.tools.log), { error: (error: unknown) => errors.push(error) });
    tools = { ...room.tools, log, versions };
  });
  after(() => first.close());

  const publish = () =>
    room.publish({
      ...STARTING,
      steps: [
        { id: 'first', type: 'delay', for: 'P1D', next: 'emit' },
        {
          id: 'emit',
          type: 'emit_event',
          event_type: 'went',
          properties: { n: { from: 'event.properties.n' } },
          next: null,
        },
      ],
    });
  const send = async (faulty: readonly number[]) => {
    const events = Array.from({ length: EVENTS }, (_, n) => ({
      event_type: 'came',
      profile: { external_id: `c${n % 10}` },
      properties: { n: faulty.includes(n) ? 'poison' : n },
    }));
    await room.client.post('/v1/events/bulk', { events }, { expect: 201 });
  };
  const readAll = async () => {
    while (await readChanges(room.db, room.storeId, tools));
  };

  for (const [where, place] of [
    ['first', 0],
    ['last', EVENTS - 1],
    ['in between', 618],
  ] as const) {
    it(`is found in few attempts, logged and passed over once: ${where}`, async () => {
      const id = await publish();
      await send([place]);
      await readAll();
      expect(await room.runs(id)).to.have.length(EVENTS - 1);
      expect(errors).to.have.length(1);
      expect(versions.loads).to.be.at.most(MOST_ATTEMPTS);
      await room.send('came', 'later@example.com', { n: 1 });
      await readAll();
      expect(await room.runs(id)).to.have.length(EVENTS);
      expect(errors).to.have.length(1);
    });
  }

  it('does not keep another one from being found, and nothing is passed over where processes find the same', async () => {
    const id = await publish();
    await send([100, 101, 700]);
    await Promise.all([readAll(), readAll(), readAll()]);
    await readAll();
    expect(await room.runs(id)).to.have.length(EVENTS - 3);
  });
});
