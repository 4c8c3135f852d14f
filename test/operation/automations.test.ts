import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { findWork } from '../../src/domain/automations/engine/find-work.ts';
import { isHeld } from '../../src/domain/store-hold.ts';
import { EngineRoom } from '../automations/support/engine-room.ts';
import { succeed } from '../support/backup.ts';
import { Client } from '../support/client.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';
import { Command, temporaryFolder, until } from '../support/process.ts';
import { builtProgram } from '../support/programs.ts';
import { TestService } from '../support/service.ts';

const GREETING = {
  trigger: { type: 'event', event_type: 'signed_up' },
  steps: [{ id: 'first', type: 'set_profile', set: { greeted: true }, next: null }],
} as const;
const LATER = {
  trigger: { type: 'event', event_type: 'visited' },
  steps: [
    { id: 'first', type: 'delay', for: 'PT1S', next: 'tag' },
    { id: 'tag', type: 'set_profile', set: { visited: true }, next: null },
  ],
} as const;

describe('Automations of a restored copy', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let rooms: [EngineRoom, EngineRoom];
  let target: TestDatabase;
  let paused: string;

  before(async () => {
    folder = await temporaryFolder();
    target = await createEmptyDatabase();
    const room = await EngineRoom.open();
    rooms = [room, await room.newStore()];
    await rooms[1].publish(GREETING);
    await room.publish(GREETING);
    await room.publish(LATER);
    await room.send('visited', 'ada@example.com');
    await room.settle();
    // Nobody has read these when the backup is made.
    paused = await room.publish(GREETING);
    await room.setStatus(paused, 'paused');
    await room.send('signed_up', 'ada@example.com');
    const env = { PATH: '/nonexistent' };
    const file = join(folder.path, 'backup');
    await succeed('backup', file, { ...env, DATABASE_URL: room.service.database.url });
    await succeed('restore', file, { ...env, DATABASE_URL: target.url });
  });
  after(async () => {
    await rooms?.[0].close();
    await target.drop();
    await folder.remove();
  });

  const run = (...args: string[]) =>
    new Command(process.execPath, [builtProgram('scripts/automations.ts'), ...args], { DATABASE_URL: target.url })
      .ended;
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stderr]).to.deep.equal([0, '']);
    return stdout;
  };
  const status = async (): Promise<{ store: string; held_since: string | null }[]> =>
    (await said('status', '--json'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const nameOf = async ({ storeId }: EngineRoom) => {
    const [row] = await target.query<{ name: string }>(`select name from store where id = '${storeId}'`);
    return row?.name as string;
  };
  const attributesOf = async (storeId: string, email: string) => {
    const [row] = await target.query<{ attributes: object }>(
      `select attributes from profile where store_id = '${storeId}' and email = '${email}'`,
    );
    return row?.attributes;
  };

  it('are held until they are released, and then go on with what was recorded since', async () => {
    const [room, other] = rooms;
    const service = await TestService.start({}, target);
    const database = await openDatabase(target.address, 2);
    try {
      const { key } = await service.newKey({ storeId: room.storeId });
      const client = new Client(service.url, key);
      await client.post(
        '/v1/events',
        { event_type: 'signed_up', profile: { email: 'lin@example.com' } },
        { expect: 201 },
      );
      const inAnHour = Date.now() + 3_600_000;
      expect(await findWork(database.sql, inAnHour)).to.deep.equal([]);
      expect(await isHeld(database.stores.of(room.storeId), room.storeId)).to.equal(true);
      const before = await status();
      expect(before).to.have.length(2);
      for (const { held_since } of before) expect(Date.parse(held_since ?? '')).to.be.greaterThan(0);

      expect(await said('release', '--store', await nameOf(room))).to.equal(`Released: ${await nameOf(room)}\n`);
      const has = async (email: string, name: string) =>
        Object.hasOwn((await attributesOf(room.storeId, email)) ?? {}, name);
      await until(() => has('lin@example.com', 'greeted'), 'what was recorded since has started a run');
      await until(() => has('ada@example.com', 'visited'), 'a run of before has gone on');
      // What was not read before the backup is not in it, and a paused one stays so.
      expect(await attributesOf(room.storeId, 'ada@example.com')).to.deep.equal({ visited: true });
      const runs = await target.query(`select from automation_run where automation_id = '${paused}'`);
      expect(runs).to.deep.equal([]);
      const after = await status();
      expect(after.map(({ store, held_since }) => [store, held_since === null])).to.have.deep.members([
        [await nameOf(room), true],
        [await nameOf(other), false],
      ]);
      expect(await said('release')).to.equal(`Released: ${await nameOf(other)}\n`);
      expect(await said('release')).to.equal('No automations were held\n');
    } finally {
      await database.close();
      await service.stopService();
    }
  });

  it('are held by a start, if the restore did not come to that', async () => {
    await target.query('truncate automation_hold, feed_reader, feed_head');
    // Somebody has been quicker, who could let them go on.
    await target.query(`
      insert into automation_hold (store_id, held_at, reason, held_by_kind, held_by)
      select distinct store_id, now(), 'paused', 'key', store_id from automation where status = 'live'`);
    await (await TestService.start({}, target)).stopService();
    expect((await status()).filter(({ held_since }) => held_since !== null)).to.have.length(2);
    expect(await target.query('select distinct reason, held_by from automation_hold')).to.deep.equal([
      { reason: 'restored', held_by: null },
    ]);
    await said('release');
    await (await TestService.start({}, target)).stopService();
    expect((await status()).filter(({ held_since }) => held_since !== null)).to.deep.equal([]);
  });

  it('are let go on that somebody has paused only where their store is named', async () => {
    const [room] = rooms;
    await target.query(`
      insert into automation_hold (store_id, held_at, reason) values ('${room?.storeId}', now(), 'paused')`);
    expect(await said('release')).to.equal('No automations were held\n');
    const name = await nameOf(room as EngineRoom);
    expect(await said('release', '--store', name)).to.equal(`Released: ${name}\n`);
  });

  it('are listed for people too, by a command that refuses what it does not know', async () => {
    expect(await said('status')).to.match(/^store +held_since +live +paused +draining\n.* - +2 +1 +0$/m);
    for (const args of [['hold'], ['release', '--store', 'nowhere'], ['status', '--all']]) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.match(/^(?:Usage:|There is no store "nowhere"|Unknown option)/);
    }
  });
});
