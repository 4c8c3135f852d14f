import { expect } from 'chai';
import { sql } from 'kysely';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { readChanges } from '../../src/domain/automations/engine/read-changes.ts';
import { takeDueDates } from '../../src/domain/automations/engine/take-due-dates.ts';
import { takeDueRuns } from '../../src/domain/automations/engine/take-due-runs.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';
import { inDays } from './support/in-days.ts';

const CUSTOMERS = 10;
/** So many may be known together at most: of each, 5 MB could come if what is stored were well compressed. */
const MOST = 7;

const STARTING: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'came' },
  entry_condition: { attribute: 'story', op: 'exists' },
  steps: [{ id: 'first', type: 'set_profile', set: { came: true }, next: null }],
};

describe('Automations of customers with very large attributes', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  const emails = Array.from({ length: CUSTOMERS }, (_, n) => `customer${n}@example.com`);
  const enlarge = () =>
    sql`
      update profile
      set attributes = attributes || (select jsonb_build_object('story', string_agg(md5(n::text), ''))
        from generate_series(1, 1900) n)
      where store_id = ${room.storeId}`.execute(room.db);

  it('know some of them at a time where they start and where they are taken further', async () => {
    const id = await room.publish(STARTING);
    for (const email of emails) await room.send('came', email);
    await enlarge();
    await readChanges(room.db, room.storeId, room.tools);
    expect(await room.runs(id)).to.have.length.within(1, MOST);
    await room.read();
    expect(await room.runs(id)).to.have.length(CUSTOMERS);
    expect(await takeDueRuns(room.db, room.storeId, room.tools, CUSTOMERS)).to.equal(CUSTOMERS);
    const done = async () => (await room.runs(id)).filter(({ status }) => status === 'ended').length;
    expect(await done()).to.be.within(1, MOST);
    await room.step();
    expect(await done()).to.equal(CUSTOMERS);
  });

  it('know some of them at a time where their dates are due', async () => {
    const { day, at } = inDays(1);
    for (const email of emails) await room.upsert(email, { birthday: day });
    await enlarge();
    const id = await room.publish({
      trigger: { type: 'date', attribute: 'birthday', repeat: 'yearly', at },
      steps: [{ id: 'first', type: 'delay', for: 'PT1H', next: null }],
    });
    await room.settle();
    room.pass('P1D');
    expect(await takeDueDates(room.db, room.storeId, room.tools)).to.equal(true);
    expect(await room.runs(id)).to.have.length.within(1, MOST);
    await room.takeDates();
    expect(await room.runs(id)).to.have.length(CUSTOMERS);
  });
});
