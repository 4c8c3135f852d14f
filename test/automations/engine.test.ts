import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';
import { inDays, toNextBirthday } from './support/in-days.ts';

const CART: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'started_checkout', filter: { property: 'value', op: 'gte', value: 20 } },
  key: { property: 'cart_id' },
  reentry: { mode: 'one_at_a_time', per: 'key' },
  exit_on: [{ event_type: 'placed_order', match_key: { property: 'cart_id' } }],
  steps: [
    { id: 'first', type: 'delay', for: 'PT1H', next: 'often' },
    {
      id: 'often',
      type: 'branch',
      cases: [{ when: { did: { event_type: 'started_checkout', at_least: 3 } }, next: 'gift' }],
      else: 'lost',
    },
    { id: 'gift', type: 'set_profile', set: { gift: { from: 'event.properties.value' } }, next: 'lost' },
    {
      id: 'lost',
      type: 'emit_event',
      event_type: 'cart_lost',
      properties: { cart: { from: 'event.properties.cart_id' } },
      next: 'answer',
    },
    {
      id: 'answer',
      type: 'wait',
      for: [{ event_type: 'replied', next: null }],
      timeout: 'P3D',
      on_timeout: null,
    },
  ],
};

describe('The engine of automations', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  it('starts a run for an event, takes its steps when they are due, and ends it', async () => {
    const id = await room.publish(CART);
    await room.send('started_checkout', 'ada@example.com', { value: 30, cart_id: 'a' });
    await room.send('started_checkout', 'ada@example.com', { value: 10, cart_id: 'small' });
    await room.settle();
    expect(await room.runs(id)).to.deep.equal([{ key: 'a', status: 'active', step: 'first', version: 1 }]);
    room.pass('PT1H');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'delayed', 'branched', 'event_emitted', 'waiting']);
    room.pass('P3D');
    await room.settle();
    expect((await room.outcomes(id)).slice(-2)).to.deep.equal(['timed_out', 'ended: completed']);
    const { events } = (await room.client.get('/v1/events?event_type=cart_lost')).body;
    expect(events.map(({ properties }: { properties: object }) => properties)).to.deep.equal([{ cart: 'a' }]);
  });

  it('sets attributes, and sees the history when the step is due', async () => {
    const id = await room.publish(CART);
    for (const cart_id of ['a', 'b', 'c'])
      await room.send('started_checkout', 'ada@example.com', { value: 30, cart_id });
    await room.settle();
    room.pass('PT1H');
    await room.settle();
    expect((await room.timeline(id)).filter(({ outcome }) => outcome === 'profile_set')).to.have.length(3);
    const { profiles } = (await room.client.get('/v1/profiles?email=ada@example.com')).body;
    expect(profiles[0].attributes).to.deep.equal({ gift: 30 });
  });

  it('ends the run of that key alone by an event that it exits on', async () => {
    const id = await room.publish(CART);
    for (const cart_id of ['a', 'b']) await room.send('started_checkout', 'ada@example.com', { value: 30, cart_id });
    await room.settle();
    await room.send('placed_order', 'ada@example.com', { cart_id: 'b' });
    await room.settle();
    expect((await room.runs(id)).map(({ status }) => status)).to.deep.equal(['active', 'ended']);
  });

  it('judges each event by what was published when it was committed, however late it is read', async () => {
    await room.send('started_checkout', 'early@example.com', { value: 30, cart_id: 'a' });
    const id = await room.publish(CART);
    await room.send('started_checkout', 'ada@example.com', { value: 30, cart_id: 'a' });
    await room.publish({ ...CART, trigger: { type: 'event', event_type: 'opened_app' } }, id);
    await room.send('started_checkout', 'late@example.com', { value: 30, cart_id: 'a' });
    await room.send('opened_app', 'grace@example.com', { cart_id: 'b' });
    await room.setStatus(id, 'draining');
    await room.send('opened_app', 'later@example.com', { cart_id: 'c' });
    await room.read(1);
    expect(await room.runs(id)).to.deep.equal([
      { key: 'a', status: 'active', step: 'first', version: 1 },
      { key: 'b', status: 'active', step: 'first', version: 2 },
    ]);
  });

  it('moves or ends runs of earlier versions as the publication says, when they are next touched', async () => {
    const moved = await room.publish(CART);
    const ended = await room.publish(CART);
    await room.send('started_checkout', 'ada@example.com', { value: 30, cart_id: 'a' });
    await room.settle();
    await room.publish(CART, moved, 'move');
    await room.publish(CART, ended, 'exit');
    room.pass('PT1H');
    await room.settle();
    expect((await room.runs(moved))[0]).to.include({ status: 'active', version: 2, step: 'answer' });
    expect((await room.outcomes(ended)).at(-1)).to.equal('ended: version_replaced');
  });

  it('freezes what a paused automation would do, and still ends what has become pointless', async () => {
    const id = await room.publish(CART);
    for (const cart_id of ['a', 'b']) await room.send('started_checkout', 'ada@example.com', { value: 30, cart_id });
    await room.settle();
    await room.setStatus(id, 'paused');
    await room.send('started_checkout', 'ada@example.com', { value: 30, cart_id: 'c' });
    room.pass('PT2H');
    await room.send('placed_order', 'ada@example.com', { cart_id: 'a' });
    await room.settle();
    expect(await room.skips(id)).to.deep.equal(['paused']);
    expect(await room.runs(id)).to.deep.equal([
      { key: 'a', status: 'ended', step: 'first', version: 1 },
      { key: 'b', status: 'active', step: 'first', version: 1 },
    ]);
    await room.setStatus(id, 'live');
    await room.settle();
    expect((await room.runs(id))[1]).to.include({ status: 'active', step: 'answer' });
  });

  it('ends all runs of an archived automation', async () => {
    const id = await room.publish(CART);
    await room.send('started_checkout', 'ada@example.com', { value: 30, cart_id: 'a' });
    await room.settle();
    await room.setStatus(id, 'archived');
    await room.settle();
    expect((await room.outcomes(id)).at(-1)).to.equal('ended: archived');
  });

  it('counts what happens', async () => {
    const id = await room.publish(CART);
    for (const cart_id of ['a', 'b']) await room.send('started_checkout', 'ada@example.com', { value: 30, cart_id });
    await room.send('placed_order', 'ada@example.com', { cart_id: 'b' });
    await room.settle();
    const counts = await room.counts(id);
    expect(counts).to.deep.include({ entered: 2, 'ended exit_event': 1, 'at first': 1, 'active 1': 1 });
  });

  it('tries a step that is refused again later, without holding up others, and then lets the run fail', async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`a${i}`, i]));
    await room.upsert('full@example.com', many);
    const id = await room.publish({
      trigger: { type: 'event', event_type: 'came' },
      steps: [{ id: 'first', type: 'set_profile', set: { came: true }, next: null }],
    });
    for (const name of ['ada', 'full', 'grace']) await room.send('came', `${name}@example.com`);
    await room.settle();
    expect(await room.outcomes(id)).to.have.members([
      ...['started', 'profile_set', 'ended: completed'],
      ...['started', 'attempt_failed'],
      ...['started', 'profile_set', 'ended: completed'],
    ]);
    for (let i = 0; i < 4; i += 1) {
      room.pass('PT1H');
      await room.settle();
    }
    expect((await room.runs(id))[1]).to.include({ status: 'failed' });
  });

  it('lets an event that an automation emits start others, up to a depth', async () => {
    const id = await room.publish({
      trigger: { type: 'event', event_type: 'echo' },
      reentry: { mode: 'every_time', per: 'profile' },
      steps: [{ id: 'first', type: 'emit_event', event_type: 'echo', next: null }],
    });
    await room.send('echo', 'ada@example.com');
    for (let i = 0; i < 8; i += 1) await room.settle();
    expect(await room.runs(id)).to.have.length(6);
    expect(await room.skips(id)).to.deep.equal(['chain_too_long']);
  });

  it('starts runs on the dates of customers who were there before, and of those who come later', async () => {
    const { day, at } = inDays(3);
    await room.upsert('ada@example.com', { birthday: `1816${day.slice(4)}` });
    await room.upsert('nobody@example.com', { birthday: 'unknown' });
    const id = await room.publish({
      trigger: { type: 'date', attribute: 'birthday', repeat: 'yearly', at },
      steps: [{ id: 'first', type: 'emit_event', event_type: 'congratulated', next: null }],
    });
    await room.settle();
    expect(await room.runs(id)).to.have.length(0);
    room.pass('P3D');
    await room.settle();
    expect(await room.runs(id)).to.have.length(1);
    room.pass(toNextBirthday(day));
    await room.settle();
    expect(await room.runs(id)).to.have.length(2);
  });
});
