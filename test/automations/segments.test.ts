import { expect } from 'chai';
import type { Definition, Trigger } from '../../src/domain/automations/core/definition/definition.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';
import { SegmentEngine } from './support/segment-engine.ts';

const GOLD = { attribute: { name: 'tier', op: 'eq', value: 'gold' } };
const NOBODY = '01a1f848-4b68-7e02-8a95-c1d7340fe962';

function onTrigger(trigger: Trigger, more: Partial<Definition> = {}): Partial<Definition> {
  return {
    trigger,
    reentry: { mode: 'every_time', per: 'profile' },
    steps: [{ id: 'first', type: 'emit_event', event_type: 'greeted', next: null }],
    ...more,
  };
}
const onEntry = (segment: string, more: object = {}) => onTrigger({ type: 'segment_entry', segment, ...more });
const onExit = (segment: string) => onTrigger({ type: 'segment_exit', segment });

describe('Automations that follow segments', () => {
  let room: EngineRoom;
  let segments: SegmentEngine;

  useRooms((one) => {
    room = one;
    segments = new SegmentEngine(room);
  });

  const count = async (id: string) => (await room.runs(id)).length;

  it('start once with each entry, and with each exit', async () => {
    await room.upsert('before@example.com', { tier: 'gold' });
    const segment = await segments.create(GOLD);
    const [entered, left] = [await room.publish(onEntry(segment)), await room.publish(onExit(segment.toUpperCase()))];
    await room.upsert('ada@example.com', { tier: 'gold' });
    await room.upsert('grace@example.com', { tier: 'silver' });
    await segments.settle();
    await segments.settle();
    expect([await count(entered), await count(left)]).to.deep.equal([1, 0]);
    await room.upsert('ada@example.com', { tier: 'silver' });
    await room.upsert('before@example.com', { tier: null });
    await segments.settle();
    expect([await count(entered), await count(left)]).to.deep.equal([1, 2]);
    const { body } = await room.client.get(`/v1/automations/${left}/runs`);
    expect(body.runs[0].trigger).to.include({ type: 'segment_exit', event_id: null });
  });

  it('start with each change, also with one that is undone before they read it', async () => {
    const segment = await segments.create(GOLD);
    const [entered, left] = [await room.publish(onEntry(segment)), await room.publish(onExit(segment))];
    for (const tier of ['gold', 'silver', 'gold']) {
      await room.upsert('ada@example.com', { tier });
      await segments.move();
    }
    await room.settle();
    expect([await count(entered), await count(left)]).to.deep.equal([2, 1]);
  });

  it('start with the passage of time, an event, a list and a consent', async () => {
    const { body: list } = await room.client.post('/v1/lists', { name: 'News' }, { expect: 201 });
    const recent = await segments.create({ event: { type: 'visited', window: { last: '1d' } } });
    const listed = await segments.create({ list: list.id });
    const subscribed = await segments.create({ consent: { channel: 'email', status: 'subscribed' } });
    const [lapsed, joined, agreed] = [
      await room.publish(onExit(recent)),
      await room.publish(onEntry(listed)),
      await room.publish(onEntry(subscribed)),
    ];
    const id = await room.upsert('ada@example.com', {});
    await room.send('visited', 'ada@example.com');
    await room.client.post(`/v1/lists/${list.id}/members`, { members: [{ profile_id: id }] }, { expect: 200 });
    await room.client.send('PUT', `/v1/profiles/${id}/consent`, JSON.stringify({ email: { status: 'subscribed' } }), {
      headers: { 'Content-Type': 'application/json' },
    });
    await segments.settle();
    room.pass('P2D');
    await segments.settle();
    expect(await count(lapsed)).to.equal(1);
    expect(await count(joined)).to.equal(1);
    expect(await count(agreed)).to.equal(1);
    const causes = async (segment: string) =>
      (await room.client.get(`/v1/segments/${segment}/changes`)).body.changes.map(
        (one: { cause: string }) => one.cause,
      );
    expect(await causes(recent)).to.deep.equal(['time', 'event']);
    expect(await causes(listed)).to.deep.equal(['list']);
    expect(await causes(subscribed)).to.deep.equal(['consent']);
  });

  it('do not start with a build, nor with history', async () => {
    await room.upsert('ada@example.com', { tier: 'silver' });
    const segment = await segments.create(GOLD);
    const bought = await segments.create({ not: { event: { type: 'returned' } } });
    const [id, other] = [await room.publish(onEntry(segment)), await room.publish(onEntry(bought))];
    const definition = { attribute: { name: 'tier', op: 'exists' } };
    await room.client.send('PUT', `/v1/segments/${segment}`, JSON.stringify({ name: 'Any', definition, revision: 1 }), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    await room.send('bought', 'grace@example.com', {}, { backfill: true });
    await segments.settle();
    expect(await count(id)).to.equal(0);
    expect(await count(other)).to.equal(0);
    const { body } = await room.client.get(`/v1/segments/${bought}/changes`);
    expect(body.changes[0].cause).to.equal('import');
  });

  it('do not start with a subscription of the past, nor with the list that it joins', async () => {
    const { body: list } = await room.client.post<any>('/v1/lists', { name: 'News' }, { expect: 201 });
    const subscribed = await segments.create({ consent: { channel: 'email', status: 'subscribed' } });
    const listed = await segments.create({ list: list.id });
    const ids = [await room.publish(onEntry(subscribed)), await room.publish(onEntry(listed))];
    const subscribe = (email: string, historical_import: boolean) => {
      const marketing = { consent: 'SUBSCRIBED', ...(historical_import && { consented_at: '2024-05-02T10:00:00Z' }) };
      const attributes = { email, subscriptions: { email: { marketing } } };
      const data = {
        type: 'profile-subscription-bulk-create-job',
        attributes: { historical_import, profiles: { data: [{ type: 'profile', attributes }] } },
        relationships: { list: { data: { type: 'list', id: list.id } } },
      };
      return room.client.post('/compat/v1/profile-subscription-bulk-create-jobs', { data }, { expect: 202 });
    };
    await subscribe('past@example.com', true);
    await segments.settle();
    for (const id of ids) expect(await count(id)).to.equal(0);
    for (const segment of [subscribed, listed]) {
      const { changes } = (await room.client.get<any>(`/v1/segments/${segment}/changes`, { expect: 200 })).body;
      expect(changes.map(({ cause }: any) => cause)).to.deep.equal(['import']);
    }
    await subscribe('now@example.com', false);
    await segments.settle();
    for (const id of ids) expect(await count(id)).to.equal(1);
  });

  it('start with whom a file lets enter, unless it is history', async () => {
    const { body: list } = await room.client.post<any>('/v1/lists', { name: 'News' }, { expect: 201 });
    const gold = await segments.create(GOLD);
    const subscribed = await segments.create({ consent: { channel: 'email', status: 'subscribed' } });
    const listed = await segments.create({ list: list.id });
    const unlisted = await segments.create({ all: [GOLD, { not: { list: list.id } }] });
    const all = [gold, subscribed, listed];
    const ids = await Promise.all(all.map((segment) => room.publish(onEntry(segment))));
    const left = await room.publish(onExit(unlisted));
    const consent = { email: 'subscribed', changed_at: '2026-01-01T00:00:00Z' };
    const importOne = (email: string, more: object) =>
      room.importFile(`email,tier\n${email},gold\n`, { consent, list_ids: [list.id], ...more });
    const causes = async (segment: string) => {
      const { changes } = (await room.client.get<any>(`/v1/segments/${segment}/changes`, { expect: 200 })).body;
      return changes.map(({ cause }: any) => cause);
    };
    await room.upsert('old@example.com', { tier: 'gold' });
    await segments.settle();
    const before = await Promise.all(ids.map(count));
    for (const email of ['past@example.com', 'old@example.com']) await importOne(email, { backfill: true });
    await segments.settle();
    expect(await Promise.all(ids.map(count))).to.deep.equal(before);
    expect(await count(left)).to.equal(0);
    expect(await Promise.all(all.map(causes))).to.deep.equal([
      ['import', 'profile'],
      ['import', 'import'],
      ['import', 'import'],
    ]);
    expect(await causes(unlisted)).to.deep.equal(['import', 'profile']);
    await importOne('now@example.com', {});
    await segments.settle();
    expect(await Promise.all(ids.map(count))).to.deep.equal(before.map((runs) => runs + 1));
    const latest = (await Promise.all(all.map(causes))).map(([cause]) => cause);
    expect(latest).to.deep.equal(['profile', 'consent', 'list']);
  });

  it('start by a segment that names the one that has changed', async () => {
    const gold = await segments.create(GOLD);
    const outer = await segments.create({ not: { segment: gold } });
    const id = await room.publish(onExit(outer));
    await room.upsert('ada@example.com', { tier: 'silver' });
    await segments.settle();
    await room.upsert('ada@example.com', { tier: 'gold' });
    await segments.settle();
    expect(await count(id)).to.equal(1);
  });

  describe('with those who are inside', () => {
    it('start each of them once, and those who come later by their change', async () => {
      for (const name of ['ada', 'grace', 'alan']) await room.upsert(`${name}@example.com`, { tier: 'gold' });
      const segment = await segments.create(GOLD);
      const without = await room.publish(onEntry(segment));
      const id = await room.publish(onEntry(segment, { include_members: true }));
      await room.upsert('later@example.com', { tier: 'gold' });
      await room.upsert('alan@example.com', { tier: 'silver' });
      await segments.move();
      await room.upsert('grace@example.com', { tier: 'silver' });
      await segments.move();
      await room.upsert('grace@example.com', { tier: 'gold' });
      await segments.settle();
      await room.settle();
      // Ada as a member, Grace by coming back, and one who came later; Alan had left.
      expect(await count(id)).to.equal(3);
      expect(await count(without)).to.equal(2);
    });

    it('start nobody twice of whom the feed tells after the publication', async () => {
      const segment = await segments.create(GOLD);
      const before = await room.publish(onEntry(segment));
      await room.upsert('ada@example.com', { tier: 'gold' });
      await segments.move();
      const id = await room.publish(onEntry(segment, { include_members: true }));
      // As if its transaction had been numbered before that of the change.
      await room.service.database.query(`
        update addition set position = null
        where store_id = '${room.storeId}' and kind = 'segment_change'`);
      await room.settle();
      expect(await count(before)).to.equal(1);
      expect(await count(id)).to.equal(1);
    });

    it('start them again only by a version that newly says so', async () => {
      await room.upsert('ada@example.com', { tier: 'gold' });
      const segment = await segments.create(GOLD);
      const including = onEntry(segment, { include_members: true });
      const id = await room.publish(including);
      await segments.settle();
      await room.publish({ ...including, name: 'Renamed' }, id);
      await segments.settle();
      expect(await count(id)).to.equal(1);
      await room.publish(onEntry(segment), id);
      await room.publish(including, id);
      await segments.settle();
      expect(await count(id)).to.equal(2);
    });

    it('wait while it is paused, and are left out once it is drained', async () => {
      await room.upsert('ada@example.com', { tier: 'gold' });
      const segment = await segments.create(GOLD);
      const [waiting, over] = [
        await room.publish(onEntry(segment, { include_members: true })),
        await room.publish(onEntry(segment, { include_members: true })),
      ];
      await room.setStatus(waiting, 'paused');
      await room.setStatus(over, 'draining');
      await segments.settle();
      expect([await count(waiting), await count(over)]).to.deep.equal([0, 0]);
      await room.setStatus(waiting, 'live');
      await room.setStatus(over, 'live');
      await segments.settle();
      expect([await count(waiting), await count(over)]).to.deep.equal([1, 0]);
    });
  });

  it('judge each change by what was published when it was made', async () => {
    const segment = await segments.create(GOLD);
    const early = await room.publish(onEntry(segment));
    await room.upsert('ada@example.com', { tier: 'gold' });
    await segments.move();
    const late = await room.publish(onEntry(segment));
    await room.setStatus(early, 'paused');
    await room.upsert('grace@example.com', { tier: 'gold' });
    await segments.move();
    await room.setStatus(early, 'live');
    await room.upsert('alan@example.com', { tier: 'gold' });
    await segments.settle();
    expect(await count(early)).to.equal(2);
    expect(await room.skips(early)).to.deep.equal(['paused']);
    expect(await count(late)).to.equal(2);
    await room.setStatus(early, 'draining');
    await room.upsert('edsger@example.com', { tier: 'gold' });
    await segments.settle();
    expect(await count(early)).to.equal(2);
  });

  it('end a chain of automations that lead to one another', async () => {
    const one = await segments.create({ attribute: { name: 'side', op: 'eq', value: 'one' } });
    const other = await segments.create({ attribute: { name: 'side', op: 'eq', value: 'other' } });
    const turn = (segment: string, side: string): Partial<Definition> =>
      onTrigger(
        { type: 'segment_entry', segment },
        { steps: [{ id: 'first', type: 'set_profile', set: { side }, next: null }] },
      );
    const ids = [await room.publish(turn(one, 'other')), await room.publish(turn(other, 'one'))];
    await room.upsert('ada@example.com', { side: 'one' });
    for (let i = 0; i < 10; i += 1) await segments.settle();
    const runs = await Promise.all(ids.map(count));
    expect(runs).to.deep.equal([3, 3]);
    expect(await room.skips(ids[0] as string)).to.deep.equal(['chain_too_long']);
  });

  it('start for a customer, however long the chain of another one is whose steps are taken at the same time', async () => {
    const segment = await segments.create(GOLD);
    const entered = await room.publish(onEntry(segment));
    await room.publish(
      onTrigger(
        { type: 'event', event_type: 'echo' },
        {
          steps: [
            { id: 'first', type: 'set_profile', set: { noise: { from: 'run.id' } }, next: 'again' },
            { id: 'again', type: 'emit_event', event_type: 'echo', next: null },
          ],
        },
      ),
    );
    await room.publish(
      onTrigger(
        { type: 'event', event_type: 'came' },
        { steps: [{ id: 'first', type: 'set_profile', set: { tier: 'gold' }, next: null }] },
      ),
    );
    await room.send('echo', 'loop@example.com');
    for (let i = 0; i < 5; i += 1) await room.settle();
    await room.send('came', 'ada@example.com');
    await segments.settle();
    await segments.settle();
    expect([await count(entered), await room.skips(entered)]).to.deep.equal([1, []]);
  });

  it('explain of a customer whether they are in the segment, since when and why, and what came of it', async () => {
    const inside = await room.upsert('inside@example.com', { tier: 'gold' });
    const segment = await segments.create(GOLD);
    const id = await room.publish(
      onTrigger(
        { type: 'segment_entry', segment, include_members: true },
        { entry_condition: { attribute: 'blocked', op: 'not_exists' } },
      ),
    );
    const explain = async (profile: string) =>
      (await room.client.get(`/v1/automations/${id}/explanation?profile_id=${profile}`, { expect: 200 })).body;
    const ada = await room.upsert('ada@example.com', { tier: 'gold', blocked: true });
    await segments.move();
    const pending = await explain(ada);
    expect(pending.candidates[0]).to.include({ type: 'segment_entry', decision: 'pending', cause: 'profile' });
    await room.settle();
    const { segment: standing, candidates } = await explain(ada);
    expect(standing).to.include({ id: segment, is_member: true, cause: 'profile' });
    expect(standing.since).to.equal(candidates[0].occurred_at);
    expect(candidates).to.have.length(1);
    expect(candidates[0]).to.include({ decision: 'skipped', reason: 'entry_condition', cause: 'profile' });
    const ofMember = await explain(inside);
    expect(ofMember.candidates.map((one: any) => one.reason ?? one.decision)).to.deep.equal(['entered', 'cause']);
    expect(ofMember.segment.cause).to.equal('definition');
    await room.upsert('ada@example.com', { tier: 'silver' });
    await segments.settle();
    expect((await explain(ada)).segment).to.include({ is_member: false, cause: 'profile' });
    const stranger = await explain(NOBODY);
    expect(stranger.candidates).to.deep.equal([]);
    expect(stranger.segment).to.deep.equal({ id: segment, is_member: false, since: null, cause: null });
  });

  it('are simulated with an entry or an exit of a customer', async () => {
    await room.upsert('ada@example.com', {});
    const segment = await segments.create(GOLD);
    for (const definition of [onEntry(segment), onExit(segment)]) {
      const id = await room.publish(definition);
      const simulate = (body: object, expected: number) =>
        room.client.post(`/v1/automations/${id}/simulate`, body, { expect: expected });
      const profile = { email: 'ada@example.com' };
      const { body } = await simulate({ profile }, 200);
      expect(body.entry.entered).to.equal(true);
      const { body: refused } = await simulate({ profile, properties: { a: 1 } }, 400);
      expect(refused.error.field).to.equal('properties');
    }
  });

  describe('publication', () => {
    const publish = async (client: EngineRoom['client'], definition: object, expected: number) => {
      const body = { definition: { name: 'Test', start: 'first', ...definition } };
      const { body: draft } = await client.post('/v1/automations', body, { expect: 201 });
      const { body: answer } = await client.post(
        `/v1/automations/${draft.id}/publish`,
        { revision: draft.revision },
        { expect: expected },
      );
      return { id: draft.id, answer };
    };

    it('is refused for a segment that there is not, of another store, or that has failed', async () => {
      const foreign = await new SegmentEngine(await room.newStore()).create(GOLD);
      const failed = await segments.create(GOLD);
      await room.service.database.query(`update segment set failure = 'It failed' where id = '${failed}'`);
      for (const segment of [NOBODY, foreign, failed]) {
        for (const definition of [onEntry(segment), onExit(segment)]) {
          const { answer } = await publish(room.client, definition, 400);
          expect(answer.error.field).to.equal('trigger.segment');
        }
      }
    });

    it('with the members of a segment waits until they are known', async () => {
      const { body } = await room.client.post('/v1/segments', { name: 'New', definition: GOLD }, { expect: 201 });
      const { answer } = await publish(room.client, onEntry(body.id, { include_members: true }), 400);
      expect(answer.error.field).to.equal('trigger.segment');
      await publish(room.client, onEntry(body.id), 200);
    });

    it('keeps the segment until the automation is archived or asks for another', async () => {
      const [segment, other] = [await segments.create(GOLD), await segments.create(GOLD)];
      const { id } = await publish(room.client, onEntry(segment), 200);
      const remove = (one: string, expected: number) =>
        room.client.send('DELETE', `/v1/segments/${one}`, undefined, { expect: expected });
      for (const status of ['live', 'paused', 'draining'] as const) {
        await room.setStatus(id, status);
        const { body } = await remove(segment, 400);
        expect(body.error.message).to.contain(id);
      }
      await room.publish(onEntry(other), id);
      // Changes of before may still start runs until they are read.
      await remove(segment, 400);
      await room.settle();
      await remove(segment, 200);
      await remove(other, 400);
      await room.setStatus(id, 'archived');
      await remove(other, 200);
      await room.settle();
    });
  });
});
