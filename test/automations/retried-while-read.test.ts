import { expect } from 'chai';
import { sql } from 'kysely';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { readChanges } from '../../src/domain/automations/engine/read-changes.ts';
import { retryRun } from '../../src/domain/automations/run-actions.ts';
import { VersionCache } from '../../src/domain/automations/stored/version-cache.ts';
import { EngineRoom } from './support/engine-room.ts';

const FAILING: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'came' },
  exit_on: [{ event_type: 'left' }],
  steps: [{ id: 'first', type: 'set_profile', set: { came: true }, next: null }],
};

/** Does something the first time, just after it is known which versions matter. */
class LateCache extends VersionCache {
  #work: (() => Promise<unknown>) | undefined;

  constructor(work: () => Promise<unknown>) {
    super();
    this.#work = work;
  }

  override async load(...args: Parameters<VersionCache['load']>): ReturnType<VersionCache['load']> {
    const work = this.#work;
    this.#work = undefined;
    await work?.();
    return await super.load(...args);
  }
}

describe('A failed run that is retried just as the feed is read', () => {
  let room: EngineRoom;

  before(async () => {
    room = await EngineRoom.open();
  });
  after(() => room.close());

  it('is told of the events, though no active run was of its version', async () => {
    const tooMany = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`a${i}`, i]));
    await room.upsert('ada@example.com', tooMany);
    const id = await room.publish(FAILING);
    await room.send('came', 'ada@example.com');
    for (let i = 0; i < 5; i += 1) {
      await room.settle();
      room.pass('PT1H');
    }
    for (let i = 0; i < 2; i += 1) await room.publish(FAILING, id);
    await room.settle();
    expect(await room.runs(id)).to.deep.equal([{ key: null, status: 'failed', step: 'first', version: 1 }]);
    await room.send('left', 'ada@example.com');
    const { rows } = await sql<{ id: string }>`
      select id from automation_run where store_id = ${room.storeId} and automation_id = ${id}`.execute(room.db);
    const retry = () => retryRun(room.db, room.caller, rows[0]?.id ?? '', room.tools.versions);
    await readChanges(room.db, room.storeId, { ...room.tools, versions: new LateCache(retry) });
    expect((await room.outcomes(id)).slice(-2)).to.deep.equal(['retried', 'ended: exit_event']);
  });
});
