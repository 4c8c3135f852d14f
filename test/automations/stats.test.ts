import { expect } from 'chai';
import { sql } from 'kysely';
import type { Client } from '../support/client.ts';
import { create, createPublished, DRAFT, put } from './support/drafts.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const UNKNOWN_ID = '01a1f83b-0000-7000-8000-000000000000';
/** Waits for a day, and lets those go at once who have an order of 100 or more. */
const STEPS = {
  trigger: { type: 'event', event_type: 'placed_order' },
  reentry: { mode: 'one_at_a_time', per: 'profile' },
  exit_on: [{ event_type: 'refunded' }],
  start: 'large',
  steps: [
    {
      id: 'large',
      type: 'branch',
      cases: [{ when: { property: 'value', op: 'gte', value: 100 }, next: 'end' }],
      else: 'day',
    },
    { id: 'day', type: 'delay', for: 'P1D', next: 'end' },
    { id: 'end', type: 'exit' },
  ],
};
const DAY_MS = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

describe('GET /v1/automations/{id}/stats', () => {
  let room: EngineRoom;
  let client: Client;

  useRooms((one) => {
    room = one;
    ({ client } = room);
  });

  const stats = async (id: string, query = '') =>
    (await client.get(`/v1/automations/${id}/stats${query}`, { expect: 200 })).body;
  const refused = async (id: string, query: string) => {
    const { error } = (await client.get(`/v1/automations/${id}/stats${query}`, { expect: 400 })).body;
    expect(error.code).to.equal('validation_error');
    return error.field;
  };

  it('count entries, ends and who did not enter, and how many are at each step now', async () => {
    const id = await createPublished(client, STEPS);
    const order = (name: string, value: number) => room.send('placed_order', `${name}@example.com`, { value });
    for (const name of ['ada', 'bob', 'eve']) await order(name, 10);
    await order('eve', 10);
    await order('max', 100);
    await room.settle();
    await room.send('refunded', 'ada@example.com');
    await room.settle();
    const counted = await stats(id);
    expect(counted).to.deep.include({
      from: daysAgo(29),
      to: daysAgo(0),
      entered: 4,
      failed: 0,
      active: 2,
      ended: [
        { reason: 'exit_event', count: 1 },
        { reason: 'exit_step', count: 1 },
      ],
      skipped: [{ reason: 'reentry', count: 1 }],
      steps: [
        { id: 'large', reached: 4, active: 0 },
        { id: 'day', reached: 3, active: 2 },
        { id: 'end', reached: 1, active: 0 },
      ],
    });
    expect(counted.days).to.have.length(30);
    expect(counted.days.at(-1)).to.deep.equal({ date: daysAgo(0), entered: 4, ended: 2, failed: 0 });
    expect(counted.days[0]).to.deep.equal({ date: daysAgo(29), entered: 0, ended: 0, failed: 0 });
  });

  it('add up what is summed up and what is not, of the days that are asked for', async () => {
    const id = await createPublished(client, STEPS);
    const { storeId, db } = room;
    const count = (
      table: 'automation_count' | 'automation_count_new',
      day: string,
      metric: string,
      name: string,
      n: number,
    ) =>
      table === 'automation_count'
        ? sql`insert into automation_count (store_id, automation_id, day, metric, name, count)
            values (${storeId}, ${id}, ${day}::date, ${metric}, ${name}, ${n})`.execute(db)
        : sql`insert into automation_count_new (store_id, id, automation_id, day, metric, name, count)
            values (${storeId}, gen_random_uuid(), ${id}, ${day}::date, ${metric}, ${name}, ${n})`.execute(db);
    await count('automation_count', '2026-03-01', 'entered', '', 5_000_000_000);
    await count('automation_count_new', '2026-03-01', 'entered', '', 2);
    await count('automation_count', '2026-03-02', 'ended', 'completed', 3);
    await count('automation_count_new', '2026-03-02', 'ended', 'restarted', 4);
    await count('automation_count', '2026-03-03', 'failed', 'attributes', 1);
    await count('automation_count_new', '2026-03-03', 'failed', 'history_too_long', 1);
    await count('automation_count', '2026-03-03', 'reached', 'day', 6);
    await count('automation_count', '2026-03-03', 'reached', 'of_an_earlier_version', 6);
    await count('automation_count', '2026-03-04', 'entered', '', 9);
    await count('automation_count', '2026-02-28', 'skipped', 'late', 9);
    await count('automation_count', '1970-01-01', 'active', '1', 7);
    await count('automation_count_new', '1970-01-01', 'active', '1', -2);
    await count('automation_count', '1970-01-01', 'at', 'day', 5);
    const counted = await stats(id, '?from=2026-03-01&to=2026-03-03');
    expect(counted).to.deep.equal({
      from: '2026-03-01',
      to: '2026-03-03',
      entered: 5_000_000_002,
      ended_by_reason: [
        { reason: 'restarted', count: 4 },
        { reason: 'completed', count: 3 },
      ],
      ended: [
        { reason: 'restarted', count: 4 },
        { reason: 'completed', count: 3 },
      ],
      skipped: [],
      failed: 2,
      active: 5,
      steps: [
        { id: 'large', reached: 0, active: 0 },
        { id: 'day', reached: 6, active: 5 },
        { id: 'end', reached: 0, active: 0 },
      ],
      days: [
        { date: '2026-03-01', entered: 5_000_000_002, ended: 0, failed: 0 },
        { date: '2026-03-02', entered: 0, ended: 7, failed: 0 },
        { date: '2026-03-03', entered: 0, ended: 0, failed: 2 },
      ],
    });
    // What is so now is of no day.
    expect(await stats(id, '?from=1970-01-01&to=1970-01-01')).to.include({ entered: 0, active: 5 });
  });

  it('are of the steps of the latest version, before the first of the draft', async () => {
    const id = await create(client, { start: 'a', steps: ['a', 'a'].map((step) => ({ id: step, type: 'exit' })) });
    const stepsOf = async () => (await stats(id)).steps.map((step: { id: string }) => step.id);
    expect(await stepsOf()).to.deep.equal(['a', 'a']);
    await put(client, `/v1/automations/${id}`, { revision: 1, definition: { ...DRAFT, steps: [] } }, 200);
    expect(await stepsOf()).to.deep.equal([]);
    await put(client, `/v1/automations/${id}`, { revision: 2, definition: DRAFT }, 200);
    await client.post(`/v1/automations/${id}/publish`, { revision: 3 }, { expect: 200 });
    await put(client, `/v1/automations/${id}`, { revision: 3, definition: { ...DRAFT, steps: [] } }, 200);
    expect(await stepsOf()).to.deep.equal(['end']);
  });

  it('are of 1 to 366 days that there are', async () => {
    const id = await create(client);
    const lengthOf = async (query: string) => (await stats(id, query)).days.length;
    expect(await lengthOf('?from=2024-01-01&to=2024-12-31')).to.equal(366);
    expect(await refused(id, '?from=2024-01-01&to=2025-01-01')).to.equal('from');
    expect(await lengthOf('?from=2024-02-29&to=2024-02-29')).to.equal(1);
    expect(await refused(id, '?from=2024-03-01&to=2024-02-29')).to.equal('from');
    expect(await refused(id, '?from=2023-02-29')).to.equal('from');
    expect(await refused(id, '?to=2024-13-01')).to.equal('to');
    expect(await refused(id, '?to=tomorrow')).to.equal('to');
    expect(await refused(id, '?from=9999-12-31')).to.equal('from');
    expect(await lengthOf('?from=9999-01-01&to=9999-12-31')).to.equal(365);
    expect(await lengthOf('?from=0001-01-01&to=0001-01-02')).to.equal(2);
    expect(await refused(id, '?from=0000-12-31&to=0001-01-01')).to.equal('from');
    expect(await refused(id, '?to=0001-01-01')).to.equal('to');
    expect((await stats(id, '?to=2024-03-01')).from).to.equal('2024-02-01');
  });

  it('are those of an automation of the store', async () => {
    const id = await create(client);
    const other = await room.service.client();
    for (const [one, unknown] of [
      [other, id],
      [client, UNKNOWN_ID],
      [client, 'nothing'],
    ] as const) {
      await one.get(`/v1/automations/${unknown}/stats`, { expect: 404 });
    }
  });
});
