import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { createPartitions, dropPartitions, partitionStatement } from '../../src/db/partitions.ts';
import type { Definition } from '../../src/domain/segments/core/definition.ts';
import { isMember } from '../../src/domain/segments/core/naive.ts';
import { readKnown } from './support/known.ts';
import { Random, randomDefinition, TYPES, VALUES } from './support/random.ts';
import { SegmentRoom } from './support/room.ts';

const HOUR = 60 * 60 * 1000;
const CUSTOMERS = 8;
const [ROUNDS, STEPS] = [4, 5];

describe('Members, whatever happens in whatever order', () => {
  let hall: SegmentRoom;

  before(async () => {
    hall = await SegmentRoom.open();
  });
  after(() => hall.close());

  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    it(`are those that a naive evaluator finds, and each change is one row (seed ${seed})`, async function () {
      this.timeout(240_000);
      const random = new Random(seed);
      const room = await hall.newStore();
      const { body: list } = await room.client.post('/v1/lists', { name: 'News' }, { expect: 201 });
      const segments = new Map<string, { definition: Definition; revision: number }>();
      for (let n = 0; n < 12; n += 1) {
        // Three levels at most: those of the first four name none, those of the next four these.
        const named = n < 4 ? [] : [...segments.keys()].slice(n < 8 ? 0 : 4, n < 8 ? 4 : 8);
        const definition = randomDefinition(random, { lists: [list.id], segments: named });
        segments.set((await room.create(definition)).id, { definition, revision: 1 });
      }
      for (let step = 0; step < STEPS; step += 1) {
        for (let n = 0; n < 8; n += 1) await happen(room, random, list.id);
        if (random.chance(0.3)) await redefine(room, random, segments);
        if (random.chance(0.5)) await room.readAll();
        if (random.chance(0.5)) room.pass(random.below(30) * HOUR);
        await room.settle();
        await expectExact(room, segments, `after step ${step}`);
      }
    });
  }

  it('follow when a month of events expires', async () => {
    const room = await hall.newStore();
    const old = new Date();
    old.setUTCMonth(old.getUTCMonth() - 3, 15);
    const { query } = room.service.database;
    await query(partitionStatement(`event_${old.toISOString().slice(0, 7).replace('-', '_')}`));
    const ada = await room.upsert('ada@example.com');
    const id = `${Math.floor(old.getTime())
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-000000000001`;
    await query(`insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
      values ('${room.storeId}', '${id}', '${ada}', 'ordered', '{}', '${old.toISOString()}', '${old.toISOString()}')`);
    const { id: ever } = await room.create({ event: { type: 'ordered' } });
    const { id: tier } = await room.create({ identifier: 'email' });
    await room.settle();
    expect([await room.members(ever), await room.members(tier)]).to.deep.equal([[ada], [ada]]);
    const database = await openDatabase(room.service.database.address, 1);
    await createPartitions(database.sql);
    expect(await dropPartitions(database, 30)).to.not.deep.equal([]);
    await database.close();
    await room.settle();
    expect([await room.members(ever), await room.members(tier)]).to.deep.equal([[], [ada]]);
    expect((await room.get(`/v1/segments/${ever}`)).state).to.equal('live');
  });
});

/** Something happens to some customer: also in the past, in the future, late, or as a backfill. */
async function happen(room: SegmentRoom, random: Random, list: string): Promise<void> {
  const email = `c${random.below(CUSTOMERS)}@example.com`;
  const at = () => new Date(room.now + (random.below(150) - 120) * HOUR).toISOString();
  const event = async () => {
    const properties = { value: random.of(VALUES), ...(random.chance(0.5) ? { kind: random.of(VALUES) } : {}) };
    const more = { occurred_at: at(), ...(random.chance(0.2) ? { backfill: true } : {}) };
    await room.send(random.of(TYPES), email, properties, more);
  };
  const profile = async () => {
    const attributes = { [random.of(['tier', 'age'])]: random.of(VALUES) };
    const phone = random.chance(0.3) ? { phone: `+49${1000000 + Number(email[1])}` } : {};
    await room.upsert(email, attributes, phone);
  };
  const member = async () => {
    const id = await room.upsert(email);
    const path = `/v1/lists/${list}/members${random.chance(0.3) ? '/remove' : ''}`;
    await room.client.post(path, { members: [{ profile_id: id }] }, { expect: 200 });
  };
  const consent = async () => {
    const id = await room.upsert(email);
    const body = { [random.of(['email', 'sms'])]: { status: random.of(['subscribed', 'unsubscribed']) } };
    const headers = { 'Content-Type': 'application/json' };
    await room.client.send('PUT', `/v1/profiles/${id}/consent`, JSON.stringify(body), { headers, expect: 200 });
  };
  await random.of([event, event, event, profile, member, consent])();
}

async function redefine(
  room: SegmentRoom,
  random: Random,
  segments: Map<string, { definition: Definition; revision: number }>,
): Promise<void> {
  const [id, segment] = random.of([...segments].slice(0, 4)) as [string, { definition: Definition; revision: number }];
  segment.definition = randomDefinition(random, { lists: [], segments: [] });
  const { revision } = await room.update(id, { ...segment, name: 'Changed' });
  segment.revision = revision;
}

async function expectExact(
  room: SegmentRoom,
  segments: ReadonlyMap<string, { definition: Definition }>,
  when: string,
): Promise<void> {
  const known = await readKnown(room);
  for (const [id, { definition }] of segments) {
    const expected = [...known].filter(([, profile]) => isMember(definition, profile, room.now)).map(([one]) => one);
    for (const one of expected) known.get(one)?.segments.add(id);
    const actual = await room.members(id);
    expect(actual, `${JSON.stringify(definition)} ${when}`).to.deep.equal(expected.sort());
    expect((await room.get(`/v1/segments/${id}`)).members).to.equal(actual.length);
    // Who entered and has not left is a member: no transition is missing, and none is there twice.
    const inside = new Set<string>();
    for (const [profileId, kind] of await room.changes(id)) {
      expect(inside.has(profileId), `${kind} of ${profileId} ${when}`).to.equal(kind === 'left');
      if (kind === 'entered') inside.add(profileId);
      else inside.delete(profileId);
    }
    expect([...inside].sort()).to.deep.equal(actual);
  }
}
