import { expect } from 'chai';
import { sql } from 'kysely';
import type { ScheduleTrigger } from '../../src/domain/automations/core/definition/definition.ts';
import { takeSchedules } from '../../src/domain/automations/engine/take-schedules.ts';
import { refuseRows } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';
import { inDays } from './support/in-days.ts';

const DAY_MS = 86_400_000;
const STEPS = [{ id: 'first', type: 'emit_event', event_type: 'greeted', next: null }] as const;

describe('Schedules of automations', () => {
  let room: EngineRoom;
  let list: string;
  let at: string;

  useRooms(async (one) => {
    room = one;
    ({ at } = inDays(0));
    list = (await room.client.post('/v1/lists', { name: 'Newsletter' }, { expect: 201 })).body.id;
  });

  const schedule = (trigger: Partial<ScheduleTrigger>, more: object = {}) =>
    room.publish({ trigger: { type: 'schedule', list, repeat: 'daily', at, ...trigger }, steps: STEPS, ...more });
  const join = async (...emails: string[]) => {
    for (const email of emails) await room.upsert(email, {});
    const members = emails.map((email) => ({ email }));
    await room.client.post(`/v1/lists/${list}/members`, { members }, { expect: 200 });
  };
  const leave = (email: string) =>
    room.client.post(`/v1/lists/${list}/members/remove`, { members: [{ email }] }, { expect: 200 });
  const count = async (id: string) => (await room.runs(id)).length;
  const read = async (id: string) => (await room.client.get(`/v1/automations/${id}`, { expect: 200 })).body.schedule;
  const explain = async (id: string, email: string) => {
    const { profiles } = (await room.client.get(`/v1/profiles?email=${email}`, { expect: 200 })).body;
    const path = `/v1/automations/${id}/explanation?profile_id=${profiles[0].id}`;
    const { candidates } = (await room.client.get(path, { expect: 200 })).body;
    return candidates.map(({ type, decision, reason }: any) => `${type} ${decision} ${reason ?? ''}`.trim());
  };

  it('start each member once a day, whoever is in the list then, and say what is next', async () => {
    await join('ada@example.com', 'grace@example.com');
    const id = await schedule({});
    const { upcoming, past, time_zone } = await read(id);
    expect([upcoming.length, past, time_zone]).to.deep.equal([5, [], 'UTC']);
    const ahead = Date.parse(upcoming[1].due_at) - Date.parse(upcoming[0].due_at);
    expect(ahead).to.equal(DAY_MS);
    await room.settle();
    expect(await count(id)).to.equal(0);
    room.pass('P1D');
    await room.settle();
    expect(await count(id)).to.equal(2);
    await join('alan@example.com');
    await leave('ada@example.com');
    await room.settle();
    expect(await count(id)).to.equal(2);
    room.pass('P1D');
    await room.settle();
    expect(await count(id)).to.equal(4);
    const after = await read(id);
    expect(after.past.map(({ status, member_count }: any) => `${status} ${member_count}`)).to.deep.equal([
      'done 2',
      'done 2',
    ]);
    expect(after.upcoming[0].day > after.past[0].day).to.equal(true);
    expect(await explain(id, 'ada@example.com')).to.deep.equal(['schedule skipped not_member', 'schedule entered']);
    expect(await explain(id, 'alan@example.com')).to.deep.equal(['schedule entered', 'schedule skipped not_member']);
    const { runs } = (await room.client.get(`/v1/automations/${id}/runs`, { expect: 200 })).body;
    expect(runs[0].trigger).to.include({ type: 'schedule', event_id: null });
  });

  it('start the members of a segment, and nobody while these are not known', async () => {
    const definition = { attribute: { name: 'tier', op: 'eq', value: 'gold' } };
    const { id: segment } = (await room.client.post('/v1/segments', { name: 'Gold', definition }, { expect: 201 }))
      .body;
    const id = await room.publish({ trigger: { type: 'schedule', segment, repeat: 'daily', at }, steps: STEPS });
    room.pass('P1D');
    await room.settle();
    expect((await read(id)).past[0]).to.include({ status: 'no_members_known', member_count: 0, began_at: null });
    const profile = await room.upsert('ada@example.com', { tier: 'gold' });
    await room.service.database.query(`update segment set generation = 1 where id = '${segment}'`);
    await room.service.database.query(`insert into segment_member (store_id, segment_id, generation, profile_id, entered_at)
      values ('${room.storeId}', '${segment}', 1, '${profile}', now())`);
    room.pass('P1D');
    await room.settle();
    expect(await count(id)).to.equal(1);
    expect(await explain(id, 'ada@example.com')).to.deep.equal([
      'schedule entered',
      'schedule skipped no_members_known',
    ]);
  });

  it('start late within their maximum, else not, and of several that were missed the last one alone', async () => {
    await join('ada@example.com');
    const id = await schedule({ max_age: 'PT2H' });
    room.pass('P3DT1H');
    await room.settle();
    expect(await count(id)).to.equal(1);
    expect((await read(id)).past.map(({ status }: any) => status)).to.deep.equal(['done', 'late', 'late']);
    room.pass('P1DT2H');
    await room.settle();
    expect(await count(id)).to.equal(1);
    expect((await explain(id, 'ada@example.com')).slice(0, 2)).to.deep.equal([
      'schedule skipped late',
      'schedule entered',
    ]);
  });

  it('pass while the automation is paused, wait where they are under way, and end when it is drained', async () => {
    await join('ada@example.com', 'grace@example.com', 'alan@example.com');
    const id = await schedule({});
    await room.setStatus(id, 'paused');
    room.pass('P1D');
    await room.settle();
    expect((await read(id)).past[0]).to.include({ status: 'paused' });
    await room.setStatus(id, 'live');
    room.pass('P1D');
    const one = () => takeSchedules(room.db, room.storeId, room.tools, 1);
    await one();
    await one();
    await room.setStatus(id, 'paused');
    expect(await one()).to.equal(false);
    expect([await count(id), (await read(id)).past[0].status]).to.deep.equal([1, 'under_way']);
    await room.setStatus(id, 'live');
    await one();
    await room.setStatus(id, 'draining');
    await room.settle();
    expect([await count(id), (await read(id)).past[0].status]).to.deep.equal([2, 'stopped']);
    expect((await read(id)).upcoming).to.deep.equal([]);
    await room.setStatus(id, 'live');
    expect((await read(id)).upcoming).to.have.length(5);
  });

  it('give up on the members whose turn does not come within the maximum', async () => {
    await join('ada@example.com', 'grace@example.com');
    const id = await schedule({});
    room.pass('P1D');
    await takeSchedules(room.db, room.storeId, room.tools, 1);
    await takeSchedules(room.db, room.storeId, room.tools, 1);
    room.pass('PT7H');
    await room.settle();
    expect(await count(id)).to.equal(1);
    expect((await read(id)).past[0]).to.include({ status: 'late', member_count: 1 });
  });

  it('pass over members on whom one of them fails, and nobody else', async () => {
    await join(...Array.from({ length: 8 }, (_, n) => `ada${n}@example.com`));
    const faulty = await schedule({});
    const others = [await schedule({}), await schedule({}), await schedule({})];
    room.pass('P1D');
    await room.service.database.query(`
      alter table automation_run add constraint never
      check (1 / (case when automation_id = '${faulty}' then 0 else 1 end) = 1) not valid`);
    try {
      while (await takeSchedules(room.db, room.storeId, room.tools, 1));
    } finally {
      await room.service.database.query('alter table automation_run drop constraint never');
    }
    expect(await count(faulty)).to.equal(0);
    for (const id of others) expect(await count(id)).to.equal(8);
    expect((await read(faulty)).past[0]).to.include({ status: 'done', member_count: 8 });
  });

  it('have one time a day, whenever a later version has it', async () => {
    await join('ada@example.com');
    const { day } = inDays(1);
    const id = await schedule({ repeat: 'once', date: day });
    room.pass('P1D');
    await room.settle();
    expect(await count(id)).to.equal(1);
    await room.publish(
      { trigger: { type: 'schedule', list, repeat: 'once', date: day, at: '23:59' }, steps: STEPS },
      id,
    );
    room.pass('P1D');
    await room.settle();
    expect(await count(id)).to.equal(1);
    expect((await read(id)).upcoming).to.deep.equal([]);
  });

  it('start the members of what was published last, also where the time had come before', async () => {
    await join('ada@example.com');
    const { id: other } = (await room.client.post('/v1/lists', { name: 'Other' }, { expect: 201 })).body;
    const id = await schedule({});
    await room.service.database.query(
      `update automation_occurrence set due_at = now() - interval '1 second' where automation_id = '${id}'`,
    );
    await room.publish({ trigger: { type: 'schedule', list: other, repeat: 'daily', at }, steps: STEPS }, id);
    await room.settle();
    expect(await count(id)).to.equal(0);
    await join('grace@example.com');
    const members = [{ email: 'grace@example.com' }];
    await room.client.post(`/v1/lists/${other}/members`, { members }, { expect: 200 });
    room.pass('P2D');
    await room.settle();
    expect(await count(id)).to.equal(1);
    expect((await read(id)).past.map(({ status, member_count }: any) => `${status} ${member_count}`)).to.include(
      'done 0',
    );
  });

  it('have no day left of what was published before, where one begins just then', async () => {
    const published = (at: string) =>
      ({ trigger: { type: 'schedule', list, repeat: 'daily', at }, steps: STEPS }) as const;
    const [id, drained] = [await room.publish(published('09:00')), await room.publish(published('09:00'))];
    const { database } = room.service;
    await database.query(`
      update automation_occurrence set day = current_date, due_at = now() - interval '1 second' where store_id = '${room.storeId}'`);
    // As whoever begins it does.
    const begin = (one: string, meanwhile: () => Promise<unknown>) =>
      room.db.transaction().execute(async (tx) => {
        const own = sql`store_id = ${room.storeId} and automation_id = ${one}`;
        await sql`select from automation_occurrence where ${own} for update`.execute(tx);
        const other = meanwhile();
        await until(() => database.isWaiting(), 'the other one waits');
        await sql`update automation_occurrence set status = 'under_way', began_at = now() where ${own}`.execute(tx);
        await sql`
          insert into automation_occurrence
          select (jsonb_populate_record(o, jsonb_build_object(
            'day', day + 1, 'due_at', due_at + interval '1 day', 'status', 'planned', 'began_at', null))).*
          from automation_occurrence o where ${own}`.execute(tx);
        return { other };
      });
    await (await begin(id, () => room.publish(published('18:00'), id))).other;
    await (await begin(drained, () => room.setStatus(drained, 'draining'))).other;
    const planned = await database.query(`
      select automation_id, version, extract(hour from due_at at time zone 'utc')::int as hour from automation_occurrence
      where store_id = '${room.storeId}' and status = 'planned'`);
    expect(planned).to.deep.equal([{ automation_id: id, version: 2, hour: 18 }]);
  });

  it('are meant by the clock of the store, also when that changes', async () => {
    const id = await schedule({ at: '09:00' });
    const own = await schedule({ at: '09:00', time_zone: 'America/New_York' });
    const hourOf = async (one: string) => {
      const [{ due_at }] = (await read(one)).upcoming;
      return new Date(due_at).getUTCHours();
    };
    expect(await hourOf(id)).to.equal(9);
    const before = await hourOf(own);
    await room.client.send('PATCH', '/v1/store', JSON.stringify({ time_zone: 'Asia/Tokyo' }), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    expect([await hourOf(id), await hourOf(own)]).to.deep.equal([0, before]);
    expect((await read(id)).time_zone).to.equal('Asia/Tokyo');
  });

  it('keep the time zone of the store where they could not be planned anew', async () => {
    await schedule({ at: '09:00' });
    const before = (await room.client.get('/v1/store', { expect: 200 })).body.time_zone;
    const condition = `new.store_id = '${room.storeId}'`;
    await refuseRows(room.service.database, 'automation_occurrence', condition, '22000');
    const { status } = await room.client.send('PATCH', '/v1/store', JSON.stringify({ time_zone: 'Asia/Tokyo' }), {
      headers: { 'Content-Type': 'application/json' },
    });
    expect(status).to.equal(500);
    expect((await room.client.get('/v1/store', { expect: 200 })).body.time_zone).to.equal(before);
  });

  it('are simulated, with a word about who is not in the list', async () => {
    await room.upsert('ada@example.com', {});
    const id = await schedule({});
    const simulate = async () =>
      (
        await room.client.post(
          `/v1/automations/${id}/simulate`,
          { profile: { email: 'ada@example.com' } },
          { expect: 200 },
        )
      ).body;
    const outside = await simulate();
    expect(outside.notes.join(' ')).to.include('not in the list of the schedule');
    await join('ada@example.com');
    const inside = await simulate();
    expect(inside.notes.join(' ')).not.to.include('not in the list');
    expect(JSON.stringify(inside)).to.include('event_emitted');
  });

  it('are explained from a cursor of theirs alone', async () => {
    const [id, profile] = [await schedule({}), await room.upsert('ada@example.com', {})];
    for (const day of ['2026-02-31', '2026-13-01', '0000-01-01', '2026-1-1', 'today']) {
      const cursor = Buffer.from(day).toString('base64url');
      const path = `/v1/automations/${id}/explanation?profile_id=${profile}&cursor=${cursor}`;
      await room.client.get(path, { expect: 400 });
    }
  });

  it('are refused with each part that is wrong', async () => {
    const problems = async (trigger: object) => {
      const definition = {
        name: 'Test',
        trigger: { type: 'schedule', at: '09:00', ...trigger },
        start: 'first',
        steps: STEPS,
      };
      const { body } = await room.client.post('/v1/automations', { definition }, { expect: 201 });
      return body.problems.map(({ field, message }: any) => `${field}: ${message}`);
    };
    expect(await problems({ list, repeat: 'daily' })).to.deep.equal([]);
    expect(await problems({ repeat: 'daily' })).to.deep.equal(['trigger: trigger needs one of list, segment']);
    expect((await problems({ list, segment: list, repeat: 'weekly' })).sort()).to.deep.equal([
      'trigger.weekdays: trigger.weekdays is needed with weekly',
      'trigger: trigger needs one of list, segment',
    ]);
    expect(await problems({ list, repeat: 'monthly', day: 3, date: '2026-12-01' })).to.deep.equal([
      'trigger.date: trigger.date is allowed only with once',
    ]);
    expect(await problems({ list, repeat: 'daily', time_zone: 'Mars/Base', max_age: 'P31D' })).to.have.length(2);
    const past = { type: 'schedule', list, repeat: 'once', date: '2020-01-01', at: '09:00' } as const;
    const { body } = await room.client.post(
      '/v1/automations',
      { definition: { name: 'Test', trigger: past, start: 'first', steps: STEPS } },
      { expect: 201 },
    );
    const refused = await room.client.post(`/v1/automations/${body.id}/publish`, { revision: 1 }, { expect: 400 });
    expect(refused.body.error).to.include({ field: 'trigger.date' });
  });
});
