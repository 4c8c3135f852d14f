import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { createPartitions, dropPartitions, partitionStatement } from '../../src/db/partitions.ts';
import { type FormerCondition, inTodaysForm } from '../../src/domain/conditions/former.ts';
import { isMember } from '../../src/domain/segments/core/naive.ts';
import { buildRange } from '../../src/domain/segments/engine/build.ts';
import { takeDue } from '../../src/domain/segments/engine/take-due.ts';
import { lowestIdAt } from '../../src/ids/uuid-v7.ts';
import { readKnown } from './support/known.ts';
import { Random, randomDate, randomDefinition, TYPES, VALUES } from './support/random.ts';
import { SegmentRoom } from './support/room.ts';

const HOUR = 60 * 60 * 1000;
const CUSTOMERS = 8;
const STEPS = 5;
const ROUNDS = Number(process.env.SEGMENT_ROUNDS ?? 4);

describe('Members, whatever happens in whatever order', () => {
  let hall: SegmentRoom;

  before(async () => {
    hall = await SegmentRoom.open();
  });
  after(() => hall.close());

  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    it(`are those that a naive evaluator finds, and each change is one row (seed ${seed})`, async () => {
      const random = new Random(seed);
      const room = await hall.newStore();
      const { body: list } = await room.client.post('/v1/lists', { name: 'News' }, { expect: 201 });
      const segments: Segments = new Map();
      for (let n = 0; n < 12; n += 1) {
        const named = namedAt(n, [...segments.keys()]);
        const definition = randomDefinition(random, { lists: [list.id], segments: named });
        segments.set((await room.create(definition)).id, { definition, revision: 1 });
      }
      for (let n = 0; n < CUSTOMERS; n += 1) await addOldEvent(room, random, await room.upsert(emailOf(n)));
      const expiresAt = random.below(STEPS);
      for (let step = 0; step < STEPS; step += 1) {
        // What happens, and what is done about it, in whatever order.
        const work = [
          () => room.readAll(),
          () => room.build(),
          () => room.settle(),
          () => takeDue(room.db, room.storeId, room.tools),
        ];
        for (let n = 0; n < 8; n += 1) {
          const done = random.chance(0.3) ? random.of<() => Promise<unknown>>(work)() : undefined;
          await happen(room, random, list.id);
          if (random.chance(0.1)) await redefine(room, random, list.id, segments);
          if (random.chance(0.1)) {
            await room.client.post(`/v1/segments/${random.of([...segments.keys()])}/rebuild`, undefined, {
              expect: 202,
            });
          }
          if (random.chance(0.2)) await buildRange(room.db, room.storeId, room.tools, 2);
          await done;
        }
        if (random.chance(0.5)) room.pass(random.below(30) * HOUR);
        if (step === expiresAt) await expireMonths(room);
        await expectExact(room, segments, await settleWithinHour(room), `after step ${step}`);
      }
    });
  }

  it('follow when a month of events expires', async () => {
    const room = await hall.newStore();
    const ada = await room.upsert('ada@example.com');
    await addOldEvent(room, new Random(0), ada, 'ordered');
    const { id: ever } = await room.create({ event: { type: 'ordered' } });
    const { id: tier } = await room.create({ identifier: 'email' });
    await room.settle();
    expect([await room.members(ever), await room.members(tier)]).to.deep.equal([[ada], [ada]]);
    await expireMonths(room);
    await room.settle();
    expect([await room.members(ever), await room.members(tier)]).to.deep.equal([[], [ada]]);
    expect((await room.get(`/v1/segments/${ever}`)).status).to.equal('live');
  });
});

/** Something happens to some customer: also in the past, in the future, late, or as a backfill. */
async function happen(room: SegmentRoom, random: Random, list: string): Promise<void> {
  const email = emailOf(random.below(CUSTOMERS));
  const at = () => new Date(room.now + (random.below(150) - 120) * HOUR).toISOString();
  const event = async () => {
    const properties = { value: random.of(VALUES), ...(random.chance(0.5) ? { kind: random.of(VALUES) } : {}) };
    const more = { occurred_at: at(), ...(random.chance(0.2) ? { backfill: true } : {}) };
    await room.send(random.of(TYPES), email, properties, more);
  };
  const profile = async () => {
    const attributes = {
      [random.of(['tier', 'age'])]: random.of(VALUES),
      ...(random.chance(0.5)
        ? { born: randomDate(random, room.now), zone: random.of(['Asia/Tokyo', 'America/Lima']) }
        : {}),
    };
    const phone = random.chance(0.3) ? { phone: `+49${1000000 + Number(email[1])}` } : {};
    const externalId = random.chance(0.2) ? { external_id: email } : {};
    await room.upsert(email, attributes, { ...phone, ...externalId });
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

type Segments = Map<string, { definition: FormerCondition; revision: number }>;

/** Three levels: the first four segments name none, the next four name these. */
function namedAt(n: number, ids: readonly string[]): string[] {
  if (n < 4) return [];
  return n < 8 ? ids.slice(0, 4) : ids.slice(4, 8);
}

async function redefine(room: SegmentRoom, random: Random, list: string, segments: Segments): Promise<void> {
  const ids = [...segments.keys()];
  const n = random.below(ids.length);
  const id = ids[n] as string;
  const segment = segments.get(id) as { definition: FormerCondition; revision: number };
  segment.definition = randomDefinition(random, { lists: [list], segments: namedAt(n, ids) });
  const { revision } = await room.update(id, { ...segment, name: 'Changed' });
  segment.revision = revision;
}

function emailOf(n: number): string {
  return `c${n}@example.com`;
}

/** An event of three months ago, which no request can leave there. */
async function addOldEvent(room: SegmentRoom, random: Random, profileId: string, type = random.of(TYPES)) {
  const old = new Date();
  old.setUTCMonth(old.getUTCMonth() - 3, 15);
  const { query } = room.service.database;
  await query(partitionStatement(`event_${old.toISOString().slice(0, 7).replace('-', '_')}`));
  const id = `${lowestIdAt(old).slice(0, 24)}${profileId.slice(24)}`;
  await query(`insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
    values ('${room.storeId}', '${id}', '${profileId}', '${type}', '{"value": ${1 + random.below(3)}}',
      '${old.toISOString()}', '${old.toISOString()}')`);
}

async function expireMonths(room: SegmentRoom): Promise<void> {
  const database = await openDatabase(room.service.database.address, 1);
  await createPartitions(database.sql);
  expect(await dropPartitions(database, 30)).to.not.deep.equal([]);
  await database.close();
}

/** Returns a moment in milliseconds, up to which calendar windows, which end at full hours, are those that were evaluated. */
async function settleWithinHour(room: SegmentRoom): Promise<number> {
  const hourOf = (at: number) => Math.floor(at / HOUR);
  for (;;) {
    const begun = hourOf(room.now);
    await room.settle();
    const at = room.now;
    if (hourOf(at) === begun) return at;
  }
}

async function expectExact(
  room: SegmentRoom,
  segments: ReadonlyMap<string, { definition: FormerCondition }>,
  at: number,
  when: string,
): Promise<void> {
  const known = await readKnown(room);
  for (const [id, { definition }] of segments) {
    const expected = [...known]
      .filter(([, profile]) => isMember(inTodaysForm(definition), profile, at))
      .map(([one]) => one);
    const actual = await room.members(id);
    expect(actual, `${JSON.stringify(definition)} ${when}`).to.deep.equal(expected.sort());
    for (const [one, since] of await room.entries(id)) known.get(one)?.segments.set(id, since);
    expect((await room.get(`/v1/segments/${id}`)).member_count).to.equal(actual.length);
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
