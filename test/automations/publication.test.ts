import { expect } from 'chai';
import { sql } from 'kysely';
import { SCOPES, type Scope } from '../../src/domain/caller.ts';
import type { Client } from '../support/client.ts';
import { readAll } from '../support/reading.ts';
import { create, createPublished, DRAFT, publish, put, setStatus } from './support/drafts.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const UNKNOWN_ID = '01a1f83b-0000-7000-8000-000000000000';
const ORDERED = { type: 'event', event_type: 'placed_order' };
const DAY = [{ id: 'day', type: 'delay', for: 'P1D', next: null }];

describe('POST /v1/automations/{id}/publish, GET /v1/automations/{id}/versions and /v1/automations/{id}/versions/{number}', () => {
  let room: EngineRoom;
  let client: Client;

  useRooms((one) => {
    room = one;
    ({ client } = room);
  });

  const get = async (path: string) => (await client.get(`/v1/automations/${path}`, { expect: 200 })).body;
  const revise = (id: string, revision: number, fields: object) =>
    put(client, `/v1/automations/${id}`, { revision, definition: { ...DRAFT, ...fields } }, 200);
  const versionsOf = (id: string) => readAll(client, `/v1/automations/${id}/versions?limit=2`, 'versions');

  it('makes the draft a version, the first one live', async () => {
    const id = await create(client);
    const { body } = await publish(client, id);
    expect(body).to.deep.include({
      automation_id: id,
      number: 1,
      in_flight: 'keep',
      active_runs: 0,
      definition: DRAFT,
    });
    const { id: keyId } = (await client.get('/v1/api-keys/current')).body.api_key;
    expect(body.published_by).to.equal(keyId);
    expect(Date.now() - Date.parse(body.published_at)).to.be.within(-1_000, 60_000);
    expect(await get(id)).to.deep.include({ status: 'live', version: 1, revision: 1, draft: DRAFT, problems: [] });
    expect(await get(`${id}/versions/1`)).to.deep.equal(body);
  });

  it('makes the next version of the next draft, and keeps the others', async () => {
    const id = await createPublished(client);
    for (const number of [2, 3, 4, 5]) {
      await revise(id, number - 1, { name: `Number ${number}` });
      const { body } = await publish(client, id, { revision: number, in_flight: 'move' });
      expect(body).to.include({ number, in_flight: 'move' });
    }
    const versions = await versionsOf(id);
    expect(versions.map(({ number }) => number)).to.deep.equal([5, 4, 3, 2, 1]);
    const { definition, warnings: _, ...summary } = await get(`${id}/versions/2`);
    expect(definition.name).to.equal('Number 2');
    expect(versions[3]).to.deep.equal(summary);
  });

  it('changes nothing if it is repeated, and returns the version', async () => {
    const id = await create(client, { trigger: ORDERED, steps: DAY, start: 'day' });
    const bodies = await Promise.all([1, 2, 3].map(async () => (await publish(client, id)).body));
    const again = await publish(client, id, { revision: 1, in_flight: 'exit' });
    for (const body of [...bodies, again.body]) expect(body).to.deep.equal(bodies[0]);
    await setStatus(client, id, { status: 'paused' });
    const paused = await get(id);
    await room.send('placed_order', 'ada@example.com');
    expect((await publish(client, id)).body.number).to.equal(1);
    expect(await get(id)).to.deep.equal(paused);
    expect(await versionsOf(id)).to.have.length(1);
    // The same again is another draft.
    await revise(id, 1, {});
    expect((await publish(client, id, { revision: 2 })).body.number).to.equal(2);
  });

  it('is known to be done although the draft has been changed since', async () => {
    const id = await create(client);
    const { body } = await publish(client, id, { revision: 1 });
    await revise(id, 1, { name: 'Another' });
    expect((await publish(client, id, { revision: 1 })).body).to.deep.equal(body);
    expect(await get(id)).to.include({ version: 1, revision: 2 });
    await publish(client, id, { revision: 2 });
    await publish(client, id, { revision: 1 }, 400);
  });

  it('warns of messages to customers who have opted out, and goes on', async () => {
    const steps = [
      { id: 'day', type: 'delay', for: 'P1D', next: 'remind' },
      { id: 'remind', type: 'emit_event', event_type: 'cart_reminder_due', next: null },
    ];
    const id = await create(client, { start: 'day', steps });
    const { warnings } = await get(id);
    expect(warnings.map(({ code, field }: any) => [code, field])).to.deep.equal([['consent_not_asked', 'steps[1]']]);
    expect(warnings[0].message).to.match(/^steps\[1\] may send a message to customers who have opted out: /);
    expect((await publish(client, id)).body.warnings).to.deep.equal(warnings);
    const consent = (status: string) => ({ consent: { channel: 'email', status } });
    const subscribed = await revise(id, 1, { start: 'day', steps, exit_when: { not: consent('subscribed') } });
    expect(subscribed.body.warnings[0]).to.include({ code: 'consent_not_asked', field: 'steps[1]' });
    expect(subscribed.body.warnings[0].message).to.match(
      / to customers who are suppressed, whatever they have chosen: /,
    );
    const exit_when = { any: [{ not: consent('subscribed') }, consent('suppressed')] };
    const { body } = await revise(id, 2, { start: 'day', steps, exit_when });
    expect(body).to.deep.include({ warnings: [], problems: [] });
    expect((await publish(client, id, { revision: 3 })).body.warnings).to.deep.equal([]);
  });

  it('is of the draft that whoever publishes has seen', async () => {
    const id = await create(client);
    await revise(id, 1, { name: 'Another' });
    for (const revision of [1, 3]) {
      const { body } = await publish(client, id, { revision }, 400);
      expect(body.error).to.include({ code: 'validation_error', field: 'revision' });
    }
    expect(await get(id)).to.include({ status: 'draft', version: null });
    await client.get(`/v1/automations/${id}/versions/1`, { expect: 404 });
  });

  it('is refused for what is wrong with the draft, by its place in the definition', async () => {
    const branch = {
      id: 'vip',
      type: 'branch',
      cases: [{ when: { attribute: 'tier', op: 'starts_with', value: '' }, next: null }],
    };
    const id = await create(client, { start: 'vip', steps: [{ ...branch, else: null }] });
    const { body } = await publish(client, id, { revision: 1 }, 400);
    const [problem] = (await get(id)).problems;
    expect(problem.field).to.equal('steps[0].cases[0].when.value');
    expect(body.error).to.include({ ...problem, code: 'validation_error' });
    expect(await get(id)).to.include({ status: 'draft', version: null });
    expect(await versionsOf(id)).to.deep.equal([]);
  });

  const SET = { id: 'set', type: 'set_profile', set: { seen: true }, next: null };
  const EMIT = { id: 'emit', type: 'emit_event', event_type: 'seen', next: null };
  for (const [step, scope] of [
    [SET, 'profiles:write'],
    [EMIT, 'events:write'],
  ] as [typeof SET, Scope][]) {
    it(`with ${step.type} needs ${scope}, also to be repeated`, async () => {
      const scopes = SCOPES.filter((other) => other !== scope);
      const { key } = await room.service.newKey({ storeId: room.storeId, scopes });
      const id = await create(client, { start: step.id, steps: [step] });
      const refused = await publish(client.as(key), id, { revision: 1 }, 403);
      expect(refused.body.error.message).to.include(scope);
      expect(await get(id)).to.include({ status: 'draft', version: null });
      await publish(client, id);
      await publish(client.as(key), id, { revision: 1 }, 403);
      await publish(client.as(key), await create(client));
    });
  }

  it('leaves the status of what was published before', async () => {
    const id = await createPublished(client);
    for (const [status, revision] of [
      ['paused', 2],
      ['draining', 3],
    ] as const) {
      await setStatus(client, id, { status });
      const { body } = await revise(id, revision - 1, {});
      await publish(client, id, { revision });
      expect(await get(id)).to.include({ status, version: revision, updated_at: body.updated_at });
    }
  });

  it('is refused for an archived automation, with a published version or without', async () => {
    const ids = [await create(client), await createPublished(client)];
    for (const id of ids) {
      await setStatus(client, id, { status: 'archived' });
      const { body } = await publish(client, id, { revision: 1 }, 400);
      expect(body.error).to.include({ code: 'validation_error', field: null });
    }
  });

  it('is possible for 100 automations that are live or paused', async () => {
    const id = await createPublished(client);
    await fillStore(98);
    await createPublished(client);
    const another = await create(client);
    const { body } = await publish(client, another, { revision: 1 }, 400);
    expect(body.error.message).to.include('already has 100 automations');
    await revise(id, 1, {});
    await publish(client, id, { revision: 2 });
    await setStatus(client, id, { status: 'draining' });
    await publish(client, another);
    const back = await setStatus(client, id, { status: 'live' }, 400);
    expect(back.body.error.message).to.include('already has 100 automations');
    expect(await get(id)).to.include({ status: 'draining' });
  });

  it('is possible for one of several at the same time, where there is room for one', async () => {
    await createPublished(client);
    await fillStore(98);
    const ids = [await create(client), await create(client), await create(client)];
    const answers = await Promise.all(ids.map((id) => client.post(`/v1/automations/${id}/publish`, { revision: 1 })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400]);
  });

  it('has changes of attributes written down that any of several automations waits for', async () => {
    const attributes = ['a', 'b', 'c', 'd'];
    const ids = await Promise.all(
      attributes.map((attribute) => create(client, { trigger: { type: 'profile_change', attribute } })),
    );
    await Promise.all(ids.map((id) => publish(client, id)));
    await room.upsert('ada@example.com', Object.fromEntries([...attributes, 'e'].map((name) => [name, 1])));
    await room.settle();
    for (const id of ids) expect(await room.outcomes(id)).to.deep.equal(['started', 'ended: exit_step']);
    await setStatus(client, ids[0] as string, { status: 'archived' });
    await room.settle();
    await setStatus(client, ids[1] as string, { status: 'paused' });
    const names = sql<{ names: string[] }>`select names from automation_watch where store_id = ${room.storeId}`;
    expect((await names.execute(room.db)).rows[0]?.names).to.deep.equal(['b', 'c', 'd']);
  });

  it('decides what triggers, from its commit on', async () => {
    const id = await createPublished(client, { trigger: ORDERED, steps: DAY, start: 'day' });
    await room.send('placed_order', 'ada@example.com');
    await revise(id, 1, { trigger: { ...ORDERED, event_type: 'refunded' }, steps: DAY, start: 'day' });
    await publish(client, id, { revision: 2 });
    for (const email of ['bob@example.com', 'eve@example.com']) {
      await room.send('placed_order', email);
      await room.send('refunded', email);
    }
    await room.settle();
    expect((await versionsOf(id)).map(({ active_runs }) => active_runs)).to.deep.equal([2, 1]);
    expect(await get(id)).to.include({ active_runs: 3 });
    expect((await client.get('/v1/automations')).body.automations[0].active_runs).to.equal(3);
    expect((await get(`${id}/versions/1`)).active_runs).to.equal(1);
  });

  it('makes versions that are found by their automation and number alone', async () => {
    const id = await createPublished(client);
    for (const number of ['0', '2', '-1', '1.0', '01', '1e0', 'x', '2147483648', '99999999999', ' 1', UNKNOWN_ID]) {
      await client.get(`/v1/automations/${id}/versions/${encodeURIComponent(number)}`, { expect: 404 });
    }
    const other = await room.service.client();
    for (const [one, of] of [
      [other, id],
      [client, UNKNOWN_ID],
      [client, 'nothing'],
    ] as const) {
      await one.get(`/v1/automations/${of}/versions/1`, { expect: 404 });
      await one.get(`/v1/automations/${of}/versions`, { expect: 404 });
      await publish(one, of, { revision: 1 }, 404);
    }
    for (const cursor of ['MA', 'LTE', 'MjE0NzQ4MzY0OA', 'x'.repeat(400)]) {
      const { body } = await client.get(`/v1/automations/${id}/versions?cursor=${cursor}`, { expect: 400 });
      expect(body.error.field).to.equal('cursor');
    }
  });

  /** Has further automations of the store live, which trigger nothing. */
  async function fillStore(count: number): Promise<void> {
    const { storeId, db } = room;
    const draft = JSON.stringify(DRAFT);
    await sql`
      with made as (
        insert into automation
          (store_id, id, name, draft, revision, status, version, trigger, created_at, updated_at, read_status)
        select ${storeId}::uuid, gen_random_uuid(), 'Old', ${draft}::json, 1, case when n % 2 = 0 then 'live' else 'paused' end,
          1, '{"type":"manual"}', now(), now(), 'draft'
        from generate_series(1, ${count}) as n
        returning id
      )
      insert into automation_version
        (store_id, automation_id, number, definition, watched, in_flight, published_at, published_by)
      select ${storeId}::uuid, id, 1, ${draft}::json, '{}', 'keep', now(), ${storeId}::uuid from made`.execute(db);
  }
});
