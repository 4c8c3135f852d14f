import { expect } from 'chai';
import type { Trigger } from '../../src/domain/automations/core/definition/definition.ts';
import { Shop } from '../messages/support/shop.ts';
import { put } from './support/drafts.ts';
import { EngineRoom } from './support/engine-room.ts';
import { wholeAutomation } from './support/guide.ts';

/** The ids that the guide gives for those of a store. */
const [TEMPLATE, LIST] = ['01a1f852-c410-7e05-8b27-3d6fa91c5e42', '01a1f846-2b18-7d35-8c60-4e9a1f7b2d03'];
const ADA = 'ada@example.com';

describe('Automations that follow lists and consent', () => {
  let engine: EngineRoom;
  let room: EngineRoom;
  let list: string;

  before(async () => {
    engine = await EngineRoom.open();
  });
  beforeEach(async () => {
    room = await engine.newStore();
    list = (await room.client.post('/v1/lists', { name: 'Newsletter' }, { expect: 201 })).body.id;
  });
  after(() => engine.close());

  const onTrigger = (trigger: Trigger, more: object = {}) =>
    room.publish({
      trigger,
      reentry: { mode: 'every_time', per: 'profile' },
      steps: [{ id: 'first', type: 'emit_event', event_type: 'greeted', next: null }],
      ...more,
    });
  const join = (...emails: string[]) => {
    const members = emails.map((email) => ({ email }));
    return room.client.post(`/v1/lists/${list}/members`, { members }, { expect: 200 });
  };
  const leave = (...emails: string[]) => {
    const members = emails.map((email) => ({ email }));
    return room.client.post(`/v1/lists/${list}/members/remove`, { members }, { expect: 200 });
  };
  const choose = async (email: object, more: object = {}) => {
    const id = await profileId();
    await put(room.client, `/v1/profiles/${id}/consent`, { email, ...more }, 200);
  };
  const profileId = async () =>
    (await room.client.get(`/v1/profiles?email=${ADA}`, { expect: 200 })).body.profiles[0].id;
  const count = async (id: string) => (await room.runs(id)).length;

  it('start once with each customer who joins a list, and with each who leaves it', async () => {
    const other = (await room.client.post('/v1/lists', { name: 'Other' }, { expect: 201 })).body.id;
    const joined = await onTrigger({ type: 'list_joined', list: list.toUpperCase() });
    const left = await onTrigger({ type: 'list_left', list });
    const elsewhere = await onTrigger({ type: 'list_joined', list: other });
    for (const email of [ADA, 'grace@example.com']) await room.upsert(email, {});
    await join(ADA, 'grace@example.com');
    await join(ADA);
    await room.settle();
    await room.settle();
    await leave(ADA);
    await room.settle();
    expect([await count(joined), await count(left), await count(elsewhere)]).to.deep.equal([2, 1, 0]);
    expect(await room.outcomes(left)).to.deep.equal(['started', 'event_emitted', 'ended: completed']);
    const { body } = await room.client.get(`/v1/automations/${joined}/runs`, { expect: 200 });
    expect(body.runs[0].trigger).to.include({ type: 'list_joined', event_id: null });
    const explained = await room.client.get(`/v1/automations/${joined}/explanation?profile_id=${await profileId()}`);
    expect(explained.body.candidates.map(({ type, decision }: any) => `${type} ${decision}`)).to.deep.equal([
      'list_joined entered',
    ]);
  });

  it('start with a join that is undone before they read it, and ask what is so now', async () => {
    const joined = await onTrigger({ type: 'list_joined', list });
    const staying = await onTrigger({ type: 'list_joined', list }, { entry_condition: { list } });
    await room.upsert(ADA, {});
    await join(ADA);
    await leave(ADA);
    await room.settle();
    expect([await count(joined), await count(staying)]).to.deep.equal([1, 0]);
    expect(await room.skips(staying)).to.deep.equal(['entry_condition']);
    const explained = await room.client.get(`/v1/automations/${staying}/explanation?profile_id=${await profileId()}`);
    expect(explained.body.candidates[0]).to.include({ type: 'list_joined', decision: 'skipped' });
  });

  it('start when a customer opts in to a channel, or out of it, and had not before', async () => {
    const given = await onTrigger({ type: 'consent_given', channel: 'email' });
    const withdrawn = await onTrigger({ type: 'consent_withdrawn', channel: 'email' });
    const sms = await onTrigger({ type: 'consent_given', channel: 'sms' });
    await room.upsert(ADA, {});
    const counts = async () => {
      await room.settle();
      return [await count(given), await count(withdrawn), await count(sms)];
    };
    await choose({ status: 'subscribed' });
    await choose({ status: 'subscribed' });
    expect(await counts()).to.deep.equal([1, 0, 0]);
    await choose({ suppressed: true });
    await choose({ suppressed: false });
    await choose({ status: 'unsubscribed', changed_at: '2020-01-01T00:00:00Z' });
    expect(await counts()).to.deep.equal([1, 0, 0]);
    await choose({ status: 'unsubscribed' });
    await choose({ status: 'unsubscribed' }, { sms: { status: 'subscribed' } });
    expect(await counts()).to.deep.equal([1, 1, 1]);
    await choose({ status: 'subscribed' });
    expect(await counts()).to.deep.equal([2, 1, 1]);
  });

  it('start nothing by choices of long ago, and by imported history', async () => {
    const given = await onTrigger({ type: 'consent_given', channel: 'email' });
    const joined = await onTrigger({ type: 'list_joined', list });
    await room.upsert(ADA, {});
    await choose({ status: 'subscribed', changed_at: '2020-01-01T00:00:00Z' });
    await room.importFile('email\ngrace@example.com\n', { list_ids: [list], backfill: true });
    await room.settle();
    expect([await count(given), await count(joined)]).to.deep.equal([0, 0]);
    await room.importFile('email\nalan@example.com\n', { list_ids: [list] });
    await room.settle();
    expect(await count(joined)).to.equal(1);
  });

  it('take what automations did for it, with their depth', async () => {
    const again = { list, next: null };
    const joined = await onTrigger(
      { type: 'list_joined', list },
      { steps: [{ id: 'first', type: 'remove_from_list', ...again }] },
    );
    const left = await onTrigger(
      { type: 'list_left', list },
      { steps: [{ id: 'first', type: 'add_to_list', ...again }] },
    );
    const given = await onTrigger(
      { type: 'consent_given', channel: 'email' },
      { steps: [{ id: 'first', type: 'unsubscribe', channel: 'email', next: null }] },
    );
    const withdrawn = await onTrigger(
      { type: 'consent_withdrawn', channel: 'email' },
      { steps: [{ id: 'first', type: 'subscribe', channel: 'email', next: null }] },
    );
    await room.upsert(ADA, {});
    await join(ADA);
    await choose({ status: 'subscribed' });
    for (let turn = 0; turn < 10; turn += 1) await room.settle();
    const skips = await Promise.all([joined, left, given, withdrawn].map((id) => room.skips(id)));
    expect(skips.map((all) => all.join())).to.deep.equal(['chain_too_long', '', 'chain_too_long', '']);
    expect([await count(joined), await count(left)]).to.deep.equal([3, 3]);
    expect([await count(given), await count(withdrawn)]).to.deep.equal([3, 3]);
  });

  it('start when the version was live at that moment, and not while it was paused', async () => {
    await room.upsert(ADA, {});
    await join(ADA);
    const joined = await onTrigger({ type: 'list_joined', list });
    await room.settle();
    expect(await count(joined)).to.equal(0);
    await room.setStatus(joined, 'paused');
    await leave(ADA);
    await join(ADA);
    await room.settle();
    expect(await room.skips(joined)).to.deep.equal(['paused']);
  });

  it('are simulated as if it had just come about', async () => {
    await room.upsert(ADA, {});
    const definition = (trigger: object, condition: object) => ({
      ...{ name: 'Test', trigger, entry_condition: condition },
      ...{ start: 'first', steps: [{ id: 'first', type: 'exit' }] },
    });
    for (const [trigger, condition] of [
      [{ type: 'list_joined', list }, { list }],
      [{ type: 'list_left', list }, { not: { list } }],
      [{ type: 'consent_given', channel: 'sms' }, { consent: { channel: 'sms', status: 'subscribed' } }],
      [{ type: 'consent_withdrawn', channel: 'email' }, { consent: { channel: 'email', status: 'unsubscribed' } }],
    ] as const) {
      const draft = { definition: definition(trigger, condition) };
      const { id } = (await room.client.post('/v1/automations', draft, { expect: 201 })).body;
      const request = { profile: { email: ADA } };
      const { body } = await room.client.post(`/v1/automations/${id}/simulate`, request, { expect: 200 });
      expect(body.entry, JSON.stringify(trigger)).to.include({ entered: true });
    }
  });

  it('are the welcome series of the guide, which is published, simulated and run', async () => {
    const shop = Shop.of(room.service.database, room.client, room.storeId);
    const template = await shop.template({ class: 'transactional', body: '<p>Welcome</p>' });
    const definition = wholeAutomation('The welcome series', { [TEMPLATE]: template, [LIST]: list });
    await room.upsert(ADA, {});
    const draft = (await room.client.post('/v1/automations', { definition }, { expect: 201 })).body;
    expect(draft.problems).to.deep.equal([]);
    const request = { profile: { email: ADA } };
    const { body } = await room.client.post(`/v1/automations/${draft.id}/simulate`, request, { expect: 200 });
    expect(body.effects.map(({ step_id }: any) => step_id)).to.deep.equal(['welcome', 'offer']);
    const id = await room.publish(definition);
    await choose({ status: 'subscribed' });
    await room.settle();
    await room.send('placed_order', ADA);
    await room.settle();
    await room.settle();
    const members = (await room.client.get(`/v1/lists/${list}/members`, { expect: 200 })).body.members;
    expect(members).to.have.length(1);
    expect(await room.outcomes(id)).to.deep.equal([
      'started',
      'message_queued',
      'waiting',
      'matched',
      'list_changed',
      'ended: completed',
    ]);
    await choose({ status: 'unsubscribed' });
    await choose({ status: 'subscribed' });
    await room.settle();
    expect(await room.skips(id)).to.deep.equal(['reentry']);
  });

  it('name a list of the store', async () => {
    const trigger = { type: 'list_left', list: '01a1f848-4b68-7e02-8a95-c1d7340fe962' };
    const definition = { name: 'Test', trigger, start: 'first', steps: [{ id: 'first', type: 'exit' }] };
    const { body } = await room.client.post('/v1/automations', { definition }, { expect: 201 });
    expect(body.problems[0]).to.include({ field: 'trigger.list' });
    await onTrigger({ type: 'list_left', list });
    await room.client.send('DELETE', `/v1/lists/${list}`, undefined, { expect: 400 });
  });
});
