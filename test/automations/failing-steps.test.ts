import { expect } from 'chai';
import { sql } from 'kysely';
import { takeDueRuns } from '../../src/domain/automations/engine/take-due-runs.ts';
import { until } from '../support/process.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

describe('Steps of automations that fail', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  it('are those whose event would be very large, as a small definition may name a large value many times', async () => {
    await room.upsert('ada@example.com', { story: 'x'.repeat(30_000) });
    const copies = Array.from({ length: 100 }, (_, i) => [`copy${i}`, { from: 'profile.attributes.story' }]);
    const id = await room.publish({
      trigger: { type: 'event', event_type: 'came' },
      steps: [
        { id: 'first', type: 'emit_event', event_type: 'copied', properties: Object.fromEntries(copies), next: null },
      ],
    });
    await room.send('came', 'ada@example.com');
    await room.settle();
    expect((await room.timeline(id)).at(-1)).to.deep.include({ outcome: 'failed' });
    expect((await room.client.get('/v1/events?event_type=copied')).body.events).to.deep.equal([]);
  });

  it('are tried again later where the database gives them up', async () => {
    const profileId = await room.upsert('ada@example.com', {});
    const id = await room.publish({
      trigger: { type: 'event', event_type: 'came' },
      steps: [{ id: 'first', type: 'set_profile', set: { came: true }, next: null }],
    });
    await room.send('came', 'ada@example.com');
    await room.read();
    await room.db.transaction().execute(async (tx) => {
      await sql`
        select from profile where store_id = ${room.storeId} and id = ${profileId} for update`.execute(tx);
      const taking = takeDueRuns(room.db, room.storeId, room.tools);
      await until(async () => {
        const { rows } = await sql`
          select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(room.db);
        return rows.length > 0;
      }, 'the step waits for the profile');
      await taking;
    });
    expect(await room.outcomes(id)).to.deep.equal(['started', 'attempt_failed']);
    room.pass('PT1M');
    await room.settle();
    expect((await room.outcomes(id)).slice(-2)).to.deep.equal(['profile_set', 'ended: completed']);
  });
});
