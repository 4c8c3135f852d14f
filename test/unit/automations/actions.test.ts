import { expect } from 'chai';
import {
  capturedPaths,
  eventTypesOf,
  watchedAttributes,
} from '../../../src/domain/automations/core/definition/uses.ts';
import { ABANDONED_CART, automation, BECAME_GOLD, BIRTHDAY, chain, delay, emit, mark } from './support/definitions.ts';
import { Shop, START } from './support/shop.ts';

describe('an action on the profile', () => {
  it('sets and removes attributes, once', () => {
    const steps = chain({
      id: 's',
      type: 'set_profile',
      set: { vip: true, since: { from: 'event.occurred_at' } },
      unset: ['hint'],
    });
    const shop = new Shop(automation({ steps }), { attributes: { hint: 'x', city: 'Ulm' } });
    shop.record('started');
    expect(shop.attributes()).to.deep.equal({ vip: true, since: '2026-03-02T10:00:00.000Z', city: 'Ulm' });
    const [run] = [...shop.runs.values()];
    expect(shop.effects).to.deep.equal([
      {
        type: 'set_profile',
        runId: run?.id,
        seq: 2,
        depth: 1,
        chain: run?.trigger.id,
        set: { vip: true, since: '2026-03-02T10:00:00.000Z' },
        unset: ['hint'],
        at: START,
      },
    ]);
  });

  it('is shown shortened in the timeline', () => {
    const steps = chain({ id: 's', type: 'set_profile', set: { note: 'x'.repeat(1_000) } });
    const shop = new Shop(automation({ steps }));
    shop.record('started');
    const shown = shop.timeline.find((entry) => entry.outcome === 'profile_set');
    expect(shown?.outcome === 'profile_set' && shown.set.note).to.have.length(200);
    expect(shop.attributes().note).to.have.length(1_000);
  });

  it('is seen by the steps after it', () => {
    const steps = chain(
      mark('vip'),
      {
        id: 'b',
        type: 'branch',
        cases: [{ when: { attribute: 'vip', op: 'eq', value: true }, next: null }],
        else: 'no',
      },
      mark('no'),
    );
    const shop = new Shop(automation({ steps }));
    shop.record('started');
    expect(shop.attributes()).to.deep.equal({ vip: true });
  });

  it('removes what it would set to a value that is not there', () => {
    const steps = chain({ id: 's', type: 'set_profile', set: { coupon: { from: 'event.properties.coupon' } } });
    const shop = new Shop(automation({ steps }), { attributes: { coupon: 'OLD' } });
    shop.record('started');
    expect(shop.attributes()).to.deep.equal({});
  });
});

describe('an action that records an event', () => {
  it('records it one automation deeper, under a key of its own', () => {
    const shop = new Shop(automation({ steps: chain(emit('e', 'cart_lost')) }));
    shop.record('started', {}, { depth: 2 });
    const [run] = [...shop.runs.values()];
    expect(shop.effects).to.deep.equal([
      {
        type: 'emit_event',
        runId: run?.id,
        seq: 2,
        depth: 3,
        chain: run?.trigger.id,
        eventType: 'cart_lost',
        properties: {},
        key: `${run?.id}:2`,
        at: START,
      },
    ]);
  });

  it('counts in the history of the steps after it', () => {
    const did = { event_type: 'cart_lost', at_least: 2 };
    const steps = chain(
      emit('e', 'cart_lost'),
      { id: 'b', type: 'branch', cases: [{ when: { did }, next: 'often' }], else: null },
      mark('often'),
    );
    const shop = new Shop(automation({ steps }));
    shop.record('started');
    expect(shop.attributes()).to.deep.equal({});
    shop.record('started');
    expect(shop.attributes()).to.deep.equal({ often: true });
  });
});

describe('what an action sends', () => {
  const sent = (properties: Record<string, unknown>, event: Record<string, unknown> = {}) => {
    const steps = chain({ id: 'e', type: 'emit_event', event_type: 'x', properties });
    const shop = new Shop(automation({ key: { property: 'cart' }, steps }), {
      attributes: { 'first.name': 'Ada', tags: ['a'] },
    });
    shop.record('started', { cart: 'c1', ...event });
    const [effect] = shop.effects as any[];
    return effect.properties;
  };

  it('has the types of what it refers to', () => {
    const properties = {
      key: { from: 'run.key' },
      items: { from: 'event.properties.cart_items' },
      type: { from: 'event.event_type' },
      name: { from: ['profile', 'attributes', 'first.name'] },
      more: [{ tags: { from: 'profile.attributes.tags' } }, 1, null],
      email: { from: 'profile.identifiers.email' },
      none: { from: 'event.properties.none' },
    };
    expect(sent(properties, { cart_items: [{ sku: 1 }] })).to.deep.equal({
      key: 'c1',
      items: [{ sku: 1 }],
      type: 'started',
      name: 'Ada',
      more: [{ tags: ['a'] }, 1, null],
      email: 'ada@example.com',
      none: null,
    });
  });

  it('has text as it is, and literal objects', () => {
    const properties = {
      text: '{{ profile.id }}',
      literal: { literal: { from: 'event.id' } },
      nested: { literal: 1, more: 2 },
    };
    expect(sent(properties)).to.deep.equal({
      text: '{{ profile.id }}',
      literal: { from: 'event.id' },
      nested: { literal: 1, more: 2 },
    });
  });
});

describe('what a run keeps of its event', () => {
  it('is what the definition refers to', () => {
    const shop = new Shop(ABANDONED_CART);
    shop.record('started_checkout', { cart_id: 'c1', value: 25, email: 'ada@example.com', cart: { kind: 'real' } });
    expect(shop.active()[0]?.captured.properties).to.deep.equal({ cart_id: 'c1', value: 25 });
  });

  it('is at most 32 KB; what does not fit is null, and named', () => {
    const set = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { from: `event.properties.${name}` }]));
    const steps = chain(delay('d', 'PT1H'), { id: 's', type: 'set_profile', set });
    const shop = new Shop(automation({ steps }));
    shop.record('started', { a: 'x'.repeat(20_000), b: 'y'.repeat(20_000), c: 1 });
    expect(shop.active()[0]?.captured.properties).to.deep.include({ b: null, c: 1 });
    expect(shop.timeline[0]).to.deep.include({ outcome: 'started', omitted: [['b']] });
  });

  it('is each value once, where paths lead into one another', () => {
    const set = { all: { from: 'event.properties.cart' }, id: { from: 'event.properties.cart.id' } };
    const shop = new Shop(automation({ steps: chain(delay('d', 'PT1H'), { id: 's', type: 'set_profile', set }) }));
    const cart = { id: 'x'.repeat(20_000), items: [2] };
    shop.record('started', { cart, other: 3 });
    expect(shop.onlyActive().captured).to.deep.include({ properties: { cart }, omitted: [] });
  });
});

describe('what a definition uses', () => {
  it('is the types of event that concern it', () => {
    expect([...eventTypesOf(ABANDONED_CART)].sort()).to.deep.equal(['placed_order', 'refunded', 'started_checkout']);
    expect([...eventTypesOf(BIRTHDAY)]).to.deep.equal([]);
  });

  it('is the attributes whose changes concern it', () => {
    expect([...watchedAttributes(ABANDONED_CART)]).to.deep.equal(['tier']);
    expect([...watchedAttributes(BECAME_GOLD)]).to.deep.equal(['tier']);
    const zoned = { ...BIRTHDAY, time_zone: { attribute: ['address', 'zone'], default: 'UTC' } };
    expect([...watchedAttributes(zoned)]).to.deep.equal(['birthday', 'address']);
  });

  it('is the properties that it needs later', () => {
    expect(capturedPaths(ABANDONED_CART)).to.deep.equal([['cart_id'], ['value']]);
  });
});
