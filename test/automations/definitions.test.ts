import { expect } from 'chai';
import { sql } from 'kysely';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { readAll } from '../support/reading.ts';
import { create, createPublished, DRAFT, publish, put, setStatus } from './support/drafts.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const UNKNOWN_ID = '01a1f83b-0000-7000-8000-000000000000';
const ORDERED = { type: 'event', event_type: 'placed_order' };
/** Of one length with another draft; its names are in no alphabetical order. */
const FULL = {
  steps: [
    {
      type: 'set_profile',
      set: { zeta: 1e20, '1': { from: 'event.properties.total' }, alpha: -0.5 },
      next: null,
      id: 'first',
    },
  ],
  start: 'first',
  trigger: {
    filter: { value: [1, '1', true], op: 'in', property: ['cart', 'kind.of'] },
    type: 'event',
    event_type: 'Placed Order',
  },
  name: 'Träume 🛒',
};

describe('Drafts, by POST and GET /v1/automations, GET and PUT /v1/automations/{id}', () => {
  let room: EngineRoom;
  let client: Client;

  useRooms((one) => {
    room = one;
    ({ client } = room);
  });

  const get = async (id: string) => (await client.get(`/v1/automations/${id}`, { expect: 200 })).body;
  const list = (query = ''): Promise<any[]> => readAll(client, `/v1/automations?limit=2${query}`, 'automations');
  const idsOf = async (query?: string) => (await list(query)).map(({ id }) => id);

  it('compare telephone numbers as they are dialled in the country of the store', async () => {
    const isCountry = async () => (await client.get('/v1/store', { expect: 200 })).body.country === 'GB';
    await client.send('PATCH', '/v1/store', JSON.stringify({ country: 'GB' }), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    await until(isCountry, 'the country is known');
    const phone = (op: string, value: unknown) => ({ identifier: 'phone', op, value });
    const any = [
      phone('eq', '020 7946 0958'),
      phone('in', ['+4930123456', '07911 123456']),
      phone('starts_with', '020'),
    ];
    const saved = async () => {
      const id = await create(client, { trigger: ORDERED, entry_condition: { any } });
      return (await client.get(`/v1/automations/${id}`, { expect: 200 })).body.draft.entry_condition.any;
    };
    // Each process knows it a little later.
    await until(async () => (await saved())[0].value !== '020 7946 0958', 'they are read so');
    expect(await saved()).to.deep.equal([
      phone('eq', '+442079460958'),
      phone('in', ['+4930123456', '+447911123456']),
      phone('starts_with', '+4420'),
    ]);
  });

  it('come back as they were sent, in the order of their names', async () => {
    const { body } = await client.post('/v1/automations', { definition: FULL }, { expect: 201 });
    expect(JSON.stringify(body.draft)).to.equal(JSON.stringify(FULL));
    expect(body).to.deep.include({ name: 'Träume 🛒', status: 'draft', revision: 1, version: null, active_runs: 0 });
    expect(body).to.deep.include({ is_held: false, problems: [], updated_at: body.created_at });
    const shown = await get(body.id);
    expect(shown).to.deep.equal(body);
    expect(JSON.stringify(shown.draft)).to.equal(JSON.stringify(FULL));
    expect(await get(body.id.toUpperCase())).to.deep.equal(body);
  });

  it('may be unfinished, and say what they lack', async () => {
    const step = { id: 'first', type: 'branch', cases: [{ when: { all: [] }, next: 'nowhere' }], else: null };
    const { body } = await client.post('/v1/automations', { definition: { ...DRAFT, start: '', steps: [step] } });
    expect(body.problems).to.deep.equal([
      { field: 'steps[0].cases[0].when.all', message: 'steps[0].cases[0].when.all must not be empty' },
      { field: 'start', message: 'start is not the id of a step' },
      { field: 'steps[0].cases[0].next', message: 'steps[0].cases[0].next is not the id of a step' },
    ]);
    expect((await get(body.id)).problems).to.deep.equal(body.problems);
  });

  it('say which part of a date to wait for is none', async () => {
    const until_date = { date: { from: 'run.id' }, offset: 'P500D', if_past: 'skip' };
    const { problems } = await get(
      await create(client, { start: 'wait', steps: [{ id: 'wait', type: 'delay', until_date, next: null }] }),
    );
    expect(problems.map(({ field }: { field: string }) => field)).to.have.members([
      'steps[0].until_date.date.from',
      'steps[0].until_date.offset',
      'steps[0].until_date.on_past',
    ]);
  });

  it('show the first 100 of their problems', async () => {
    const steps = Array.from({ length: 60 }, (_, i) => ({ id: `s${i}`, type: 'delay', for: '', next: 'nowhere' }));
    const { problems } = await get(await create(client, { steps }));
    expect(problems).to.have.length(100);
  });

  it('say what is wrong with the whole of a definition', async () => {
    const all = Array.from({ length: 51 }, () => ({ attribute: 'tier', op: 'exists' }));
    const { problems } = await get(await create(client, { entry_condition: { all }, exit_when: { any: all } }));
    const message = 'The definition has 102 comparisons in its conditions, and may have 100';
    expect(problems).to.deep.equal([{ field: null, message }]);
    // Digits that are left out when it is sent.
    const numbers = { id: 'end', type: 'set_profile', set: { many: Array(10_000).fill(1e20) }, next: null };
    const body = JSON.stringify({ definition: { ...DRAFT, steps: [numbers] } }).replaceAll(
      '100000000000000000000',
      '1e20',
    );
    const options = { headers: { 'Content-Type': 'application/json' }, expect: 201 };
    const large = (await client.send('POST', '/v1/automations', body, options)).body as any;
    expect(large.problems).to.deep.equal([{ field: null, message: 'The definition is larger than 64 KB' }]);
    expect(await get(large.id)).to.deep.equal(large);
    await publish(client, large.id, { revision: 1 }, 400);
    expect((await setStatus(client, large.id, { status: 'archived' })).body.draft).to.deep.equal(large.draft);
  });

  it('are replaced with their names, by whoever has seen the current one', async () => {
    const id = await create(client);
    const definition = { ...DRAFT, name: 'Call later', trigger: ORDERED };
    const { body } = await put(client, `/v1/automations/${id}`, { revision: 1, definition }, 200);
    expect(body).to.deep.include({ name: 'Call later', revision: 2, status: 'draft', draft: definition });
    expect(Date.parse(body.updated_at)).to.be.at.least(Date.parse(body.created_at));
    for (const revision of [1, 3]) {
      const stale = await put(client, `/v1/automations/${id}`, { revision, definition: DRAFT }, 400);
      expect(stale.body.error).to.include({ code: 'validation_error', field: 'revision' });
    }
    expect(await get(id)).to.deep.equal(body);
  });

  it('are saved once by a request that is sent again, and by nobody else', async () => {
    const id = await create(client);
    const definition = { ...DRAFT, name: 'Call later', trigger: ORDERED };
    const { body } = await put(client, `/v1/automations/${id}`, { revision: 1, definition }, 200);
    const again = Object.fromEntries(Object.entries(definition).reverse());
    const answers = await Promise.all(
      [definition, again].map((same) => put(client, `/v1/automations/${id}`, { revision: 1, definition: same }, 200)),
    );
    for (const answer of answers) expect(answer.body).to.deep.equal(body);
    expect(await get(id)).to.deep.equal(body);
    const other = { ...definition, name: 'Call at once' };
    expect(
      (await put(client, `/v1/automations/${id}`, { revision: 1, definition: other }, 400)).body.error.field,
    ).to.equal('revision');
    await put(client, `/v1/automations/${id}`, { revision: 2, definition: other }, 200);
    await put(client, `/v1/automations/${id}`, { revision: 1, definition }, 400);
  });

  it('are changed by one of several at the same time', async () => {
    const id = await create(client);
    const names = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(
      names.map((name) => put(client, `/v1/automations/${id}`, { revision: 1, definition: { ...DRAFT, name } })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400, 400]);
    const winner = names[answers.findIndex(({ status }) => status === 200)];
    expect(await get(id)).to.include({ name: winner, revision: 2 });
  });

  it('leave what is live as it is', async () => {
    const id = await createPublished(client, { trigger: ORDERED });
    const definition = { ...DRAFT, name: 'Next', trigger: { type: 'manual' } };
    const { body } = await put(client, `/v1/automations/${id}`, { revision: 1, definition }, 200);
    expect(body).to.deep.include({ status: 'live', version: 1, revision: 2, draft: definition, name: 'Next' });
    expect(await list()).to.have.nested.property('[0].trigger.event_type', 'placed_order');
    const version = (await client.get(`/v1/automations/${id}/versions/1`, { expect: 200 })).body;
    expect(version.definition.trigger).to.deep.equal(ORDERED);
  });

  it('can not be changed once they are archived', async () => {
    const id = await create(client);
    await setStatus(client, id, { status: 'archived' });
    const { body } = await put(client, `/v1/automations/${id}`, { revision: 1, definition: DRAFT }, 400);
    expect(body.error).to.include({ code: 'validation_error', field: null });
  });

  it('are those of one store, by their ids', async () => {
    const id = await create(client);
    const other = await room.service.client();
    for (const [one, unknown] of [
      [other, id],
      [client, UNKNOWN_ID],
      [client, 'nothing'],
    ] as const) {
      await one.get(`/v1/automations/${unknown}`, { expect: 404 });
      await put(one, `/v1/automations/${unknown}`, { revision: 1, definition: DRAFT }, 404);
    }
    expect((await other.get('/v1/automations')).body).to.deep.equal({ automations: [], next_cursor: null });
  });

  it('are listed newest first, page by page, with what triggers them', async () => {
    const ids = [await create(client), await create(client, { trigger: ORDERED }), await create(client)];
    const all = await list();
    expect(all.map(({ id }) => id)).to.deep.equal(ids.toReversed());
    const { draft: _, problems: __, warnings: ___, takes_client_events: ____, ...shown } = await get(ids[1] as string);
    expect(all[1]).to.deep.equal({ ...shown, trigger: ORDERED });
    const foreign = (await client.get('/v1/api-keys?limit=1')).body.next_cursor ?? 'eA';
    const { body } = await client.get(`/v1/automations?cursor=${foreign}`, { expect: 400 });
    expect(body.error.field).to.equal('cursor');
  });

  it('are listed by status and by the type of event', async () => {
    const live = await createPublished(client, { trigger: ORDERED });
    const draft = await create(client, { trigger: ORDERED });
    const other = await createPublished(client, { trigger: { ...ORDERED, event_type: 'Placed_Order' } });
    const gone = await create(client, { trigger: ORDERED });
    await setStatus(client, gone, { status: 'archived' });
    await setStatus(client, other, { status: 'paused' });
    expect(await idsOf('&event_type=placed_order')).to.deep.equal([gone, draft, live]);
    expect(await idsOf('&event_type=placed_order&status=live')).to.deep.equal([live]);
    expect(await idsOf('&status=paused')).to.deep.equal([other]);
    expect(await idsOf('&status=draining')).to.deep.equal([]);
    expect(await idsOf('&event_type=manual')).to.deep.equal([]);
    await client.get('/v1/automations?status=off', { expect: 400 });
    // By what is live, until another draft is published.
    const definition = { ...DRAFT, trigger: { ...ORDERED, event_type: 'refunded' } };
    await put(client, `/v1/automations/${live}`, { revision: 1, definition }, 200);
    expect(await idsOf('&event_type=refunded')).to.deep.equal([]);
    await publish(client, live, { revision: 2 });
    expect(await idsOf('&event_type=refunded')).to.deep.equal([live]);
  });

  it('end a page before it is too large', async () => {
    const values = Array.from({ length: 55 }, () => 'x'.repeat(1_000));
    const trigger = { ...ORDERED, filter: { property: 'note', op: 'in', value: values } };
    for (let i = 0; i < 21; i += 1) await create(client, { trigger });
    const { body } = await client.get('/v1/automations?limit=100');
    expect(body.automations.length).to.be.within(10, 20);
    expect(await idsOf()).to.have.length(21);
  });

  it('are at most 200 that are not archived', async () => {
    await sql`
      insert into automation
        (store_id, id, name, draft, revision, status, trigger, created_at, updated_at, read_status)
      select ${room.storeId}::uuid, gen_random_uuid(), 'Old', '{}', 1, case when n <= 199 then 'draft' else 'archived' end, '{}',
        now(), now(), 'draft'
      from generate_series(1, 220) as n`.execute(room.db);
    const last = await Promise.all([1, 2, 3].map(() => client.post('/v1/automations', { definition: DRAFT })));
    expect(last.map(({ status }) => status).sort()).to.deep.equal([201, 400, 400]);
    expect(last.find(({ status }) => status === 400)?.body.error.message).to.include('already has 200 automations');
    const id = last.find(({ status }) => status === 201)?.body.id;
    await setStatus(client, id, { status: 'archived' });
    await create(client);
  });

  it('show that a restored copy holds them', async () => {
    const id = await createPublished(client);
    await sql`insert into automation_hold (store_id, held_at) values (${room.storeId}, now())`.execute(room.db);
    expect(await get(id)).to.include({ status: 'live', is_held: true });
    expect((await list())[0]).to.include({ id, is_held: true });
    await sql`delete from automation_hold where store_id = ${room.storeId}`.execute(room.db);
    expect(await get(id)).to.include({ is_held: false });
  });
});
