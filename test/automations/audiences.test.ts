import { expect } from 'chai';
import { sql } from 'kysely';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import type { Condition } from '../../src/domain/conditions/condition.ts';
import { create, publish, setStatus } from './support/drafts.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const UNKNOWN_ID = '01a1f83b-0000-7000-8000-000000000000';
const ASKED = { type: 'event', event_type: 'asked' } as const;
const END = { id: 'first', type: 'exit' } as const;
const SUBSCRIBED: Condition = { consent: { channel: 'email', status: 'subscribed' } };

describe('Automations that ask for lists, segments and consent', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  const newList = async (of = room): Promise<string> =>
    (await of.client.post('/v1/lists', { name: 'VIPs' }, { expect: 201 })).body.id;
  const newSegment = async (definition: object = { identifier: 'email' }): Promise<string> =>
    (await room.client.post('/v1/segments', { name: 'Winter', definition }, { expect: 201 })).body.id;
  const join = (list: string, email: string) =>
    room.client.post(`/v1/lists/${list}/members`, { members: [{ email }] }, { expect: 200 });
  const leave = (list: string, email: string) =>
    room.client.post(`/v1/lists/${list}/members/remove`, { members: [{ email }] }, { expect: 200 });
  const choose = (profileId: string, status: string) =>
    room.client.send(
      'PUT',
      `/v1/profiles/${profileId}/consent`,
      JSON.stringify({ email: { status, source: 'test' } }),
      { headers: { 'Content-Type': 'application/json' }, expect: 200 },
    );
  const outcomes = async (id: string) => (await room.timeline(id)).map(({ outcome }) => outcome);
  const waitFor = (when: Condition): Partial<Definition> => ({
    trigger: ASKED,
    steps: [{ id: 'first', type: 'wait', for: [{ when, next: null }], timeout: 'P1D', on_timeout: null }],
  });

  it('let in those in a list, and say of the others that they were not in it', async () => {
    const list = await newList();
    await room.upsert('ada@example.com', {});
    await join(list, 'ada@example.com');
    const id = await room.publish({ trigger: ASKED, entry_condition: { list: list.toUpperCase() }, steps: [END] });
    await room.send('asked', 'ada@example.com');
    await room.send('asked', 'ben@example.com');
    await room.settle();
    expect(await room.runs(id)).to.have.length(1);
    const ben = await room.upsert('ben@example.com', {});
    const { body } = await room.client.get(`/v1/automations/${id}/explanation?profile_id=${ben}`, { expect: 200 });
    expect(JSON.stringify(body)).to.include(
      JSON.stringify({ path: '', condition: { list: list.toUpperCase() }, saw: false }),
    );
  });

  it('branch by segments and by consent', async () => {
    const segment = await newSegment();
    const ada = await room.upsert('ada@example.com', {});
    await room.upsert('ben@example.com', {});
    await choose(ada, 'subscribed');
    // As if it had been built.
    await sql`
      insert into segment_member (store_id, segment_id, generation, profile_id, entered_at)
      select store_id, id, generation, ${ada}, now() from segment
      where store_id = ${room.storeId} and id = ${segment}`.execute(room.db);
    const id = await room.publish({
      trigger: ASKED,
      steps: [
        {
          id: 'first',
          type: 'branch',
          cases: [{ when: { all: [{ segment }, SUBSCRIBED] }, next: 'both' }],
          else: null,
        },
        { id: 'both', type: 'exit', reason: 'both' },
      ],
    });
    for (const email of ['ada@example.com', 'ben@example.com']) await room.send('asked', email);
    await room.settle();
    const ends = (await room.timeline(id)).filter(({ outcome }) => outcome === 'ended').map(({ detail }) => detail);
    expect(ends).to.have.deep.members([{ reason: 'exit_step', text: 'both' }, { reason: 'completed' }]);
  });

  it('go on as soon as the customer joins a list, even if they leave it at once', async () => {
    const list = await newList();
    await room.upsert('ada@example.com', {});
    const id = await room.publish(waitFor({ list }));
    await room.send('asked', 'ada@example.com');
    await room.settle();
    expect(await outcomes(id)).to.deep.equal(['started', 'waiting']);
    await join(list, 'ada@example.com');
    await leave(list, 'ada@example.com');
    await room.settle();
    expect(await outcomes(id)).to.deep.equal(['started', 'waiting', 'matched', 'ended']);
  });

  it('go on as soon as the customer leaves a list, and not when another list changes', async () => {
    const [list, other] = [await newList(), await newList()];
    await room.upsert('ada@example.com', {});
    await join(list, 'ada@example.com');
    const id = await room.publish(waitFor({ not: { list } }));
    await room.send('asked', 'ada@example.com');
    await room.settle();
    await join(other, 'ada@example.com');
    await room.settle();
    expect(await outcomes(id)).to.deep.equal(['started', 'waiting']);
    await leave(list, 'ada@example.com');
    await room.settle();
    expect(await outcomes(id)).to.deep.equal(['started', 'waiting', 'matched', 'ended']);
  });

  it('go on as soon as the customer has chosen', async () => {
    const ada = await room.upsert('ada@example.com', {});
    const id = await room.publish(waitFor(SUBSCRIBED));
    await room.send('asked', 'ada@example.com');
    await room.settle();
    await choose(ada, 'unsubscribed');
    await room.settle();
    expect(await outcomes(id)).to.deep.equal(['started', 'waiting']);
    await choose(ada, 'subscribed');
    await room.settle();
    expect(await outcomes(id)).to.deep.equal(['started', 'waiting', 'matched', 'ended']);
  });

  it('end before an action if the customer has opted out meanwhile', async () => {
    const ada = await room.upsert('ada@example.com', {});
    const id = await room.publish({
      trigger: ASKED,
      exit_when: { consent: { channel: 'email', status: 'unsubscribed' } },
      steps: [
        { id: 'first', type: 'delay', for: 'PT1H', next: 'tag' },
        { id: 'tag', type: 'set_profile', set: { asked: true }, next: null },
      ],
    });
    await room.send('asked', 'ada@example.com');
    await room.settle();
    await choose(ada, 'unsubscribed');
    room.pass('PT2H');
    await room.settle();
    expect((await room.timeline(id)).at(-1)?.detail).to.deep.include({ reason: 'exit_condition' });
  });

  it('can be drafted with any id, and published with those of the store alone', async () => {
    const foreign = await newList(await room.newStore());
    const definition = (entry_condition: object) => ({ trigger: ASKED, entry_condition, steps: [END], start: 'first' });
    const refused = async (entry_condition: object) => {
      const id = await create(room.client, definition(entry_condition));
      return (await publish(room.client, id, { revision: 1 }, 400)).body.error;
    };
    for (const id of [foreign, UNKNOWN_ID]) {
      expect(await refused({ all: [SUBSCRIBED, { list: id }] })).to.include({
        field: 'entry_condition.all[1].list',
        message: 'entry_condition.all[1].list is not the id of a list of the store',
      });
      expect(await refused({ not: { segment: id } })).to.include({ field: 'entry_condition.not.segment' });
    }
    expect(await refused({ list: '' })).to.include({ field: 'entry_condition.list' });
    expect(await refused({ list: await newSegment() })).to.include({ field: 'entry_condition.list' });
  });

  it('name all that the store does not have, in the draft and when they are published', async () => {
    const steps = [
      { id: 'first', type: 'send_webhook', endpoint_id: UNKNOWN_ID, message_type: 'a.b', next: 'mail' },
      { id: 'mail', type: 'send_email', template_id: UNKNOWN_ID, next: null },
    ];
    const definition = {
      name: 'Unknown',
      trigger: ASKED,
      entry_condition: { list: UNKNOWN_ID },
      steps,
      start: 'first',
    };
    const { body } = await room.client.post<any>('/v1/automations', { definition }, { expect: 201 });
    const fields = ['steps[0].endpoint_id', 'entry_condition.list', 'steps[1].template_id'];
    expect(body.problems.map(({ field }: { field: string }) => field)).to.deep.equal(fields);
    const { error } = (await publish(room.client, body.id, { revision: 1 }, 400)).body;
    expect(error.field).to.equal(fields[0]);
  });

  for (const kind of ['list', 'segment'] as const) {
    it(`keep a ${kind} that they name from being deleted until they are archived`, async () => {
      const audience = kind === 'list' ? await newList() : await newSegment();
      const remove = (expect: number) => room.client.send('DELETE', `/v1/${kind}s/${audience}`, undefined, { expect });
      const draft = { trigger: ASKED, entry_condition: { [kind]: audience }, steps: [END], start: 'first' };
      await create(room.client, draft);
      const id = await create(room.client, draft);
      await publish(room.client, id);
      for (const status of ['live', 'paused', 'draining']) {
        await setStatus(room.client, id, { status });
        const { error } = (await remove(400)).body as any;
        expect(error.message).to.include(id).and.include('Call back').and.include('version 1');
        expect(error.field).to.equal('id');
      }
      await setStatus(room.client, id, { status: 'archived' });
      await remove(200);
    });
  }

  it('keep a list for the runs on an earlier version, and not for an id that is only a value', async () => {
    const list = await newList();
    const id = await room.publish(waitFor({ list }));
    await room.send('asked', 'ada@example.com');
    await room.settle();
    const next = {
      trigger: ASKED,
      entry_condition: { attribute: 'list', op: 'eq', value: list },
      steps: [END],
    } as const;
    await room.publish(next, id);
    await room.settle();
    const remove = (expect: number) => room.client.send('DELETE', `/v1/lists/${list}`, undefined, { expect });
    await remove(400);
    room.pass('P2D');
    await room.settle();
    await remove(200);
  });

  it('either keep a list or are refused, whichever comes first of publication and deletion', async () => {
    for (let n = 0; n < 8; n += 1) {
      const list = await newList();
      const id = await create(room.client, { trigger: ASKED, entry_condition: { list }, steps: [END], start: 'first' });
      const [published, deleted] = await Promise.all([
        room.client.post(`/v1/automations/${id}/publish`, { revision: 1 }),
        room.client.send('DELETE', `/v1/lists/${list}`, undefined),
      ]);
      expect([published.status, deleted.status].sort()).to.deep.equal([200, 400]);
    }
  });

  it('are simulated with what there is, and with what is assumed', async () => {
    const list = await newList();
    await room.upsert('ada@example.com', {});
    const id = await room.publish({ trigger: ASKED, entry_condition: { list }, steps: [END] });
    const simulate = async (assume: object[]) => {
      const body = { profile: { email: 'ada@example.com' }, assume };
      return (await room.client.post(`/v1/automations/${id}/simulate`, body, { expect: 200 })).body;
    };
    expect((await simulate([])).entry.detail.condition).to.deep.equal({ path: '', condition: { list }, saw: false });
    expect((await simulate([{ list, member: true }])).entry.entered).to.equal(true);
    await join(list, 'ada@example.com');
    expect((await simulate([])).entry.entered).to.equal(true);
  });
});
