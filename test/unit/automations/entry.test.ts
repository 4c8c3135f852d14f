import { expect } from 'chai';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';
import { explainEntry } from '../../../src/domain/automations/core/machine/react.ts';
import { automation, BECAME_GOLD, chain, delay, emit, mark } from './support/definitions.ts';
import { Shop, START } from './support/shop.ts';

const LONG = chain(delay('day', 'P1D'));
const reasons = (shop: Shop) => shop.skips().map(({ reason }) => reason);

describe('an event that triggers', () => {
  it('starts a run at the first step, with its data', () => {
    const shop = new Shop(automation({ key: { property: 'cart' }, steps: LONG }), { manual: true });
    const event = shop.record('started', { cart: 7 });
    shop.read();
    const [run] = shop.active();
    expect(run).to.deep.include({
      profileId: 'ada',
      version: 1,
      key: '7',
      trigger: { id: event.id, type: 'event', at: START, receivedAt: START, eventId: event.id },
      stepId: 'day',
      seq: 1,
      dueAt: START,
      waiting: null,
      status: 'active',
    });
    expect(shop.timeline).to.deep.equal([
      { outcome: 'started', trigger: event.id, key: '7', version: 1, runId: run?.id, seq: 1, stepId: 'day', at: START },
    ]);
  });

  it('is one of the type', () => {
    const shop = new Shop(automation({ steps: LONG }));
    shop.record('other');
    expect(shop.runs.size).to.equal(0);
    expect(shop.skips()).to.deep.equal([]);
  });

  it('passes the filter; of those that do not, nothing is kept', () => {
    const trigger = {
      type: 'event',
      event_type: 'started',
      filter: { property: 'value', op: 'gte', value: 20 },
    } as const;
    const shop = new Shop(automation({ trigger, steps: LONG }));
    shop.record('started', { value: 19 });
    expect([shop.runs.size, shop.skips()]).to.deep.equal([0, []]);
    shop.record('started', { value: 20 });
    expect(shop.runs.size).to.equal(1);
  });

  it('is not backfilled', () => {
    const shop = new Shop(automation({ steps: LONG }));
    shop.record('started', {}, { backfill: true });
    expect([shop.runs.size, shop.skips()]).to.deep.equal([0, []]);
  });

  it('happened at most a day ago by default', () => {
    const shop = new Shop(automation({ steps: LONG, reentry: { mode: 'every_time', per: 'profile' } }));
    shop.record('started', {}, { ago: 'P1D' });
    shop.record('started', {}, { ago: 'P1DT1S' });
    expect([shop.runs.size, reasons(shop)]).to.deep.equal([1, ['late']]);
  });

  it('happened as long ago as the automation says', () => {
    const trigger = { type: 'event', event_type: 'started', max_age: 'PT1H' } as const;
    const shop = new Shop(automation({ steps: LONG, trigger }));
    shop.record('started', {}, { ago: 'PT2H' });
    expect(reasons(shop)).to.deep.equal(['late']);
  });

  it('is late where the service comes to it late', () => {
    const shop = new Shop(automation({ steps: LONG }), { manual: true });
    shop.record('started');
    shop.pass('P2D');
    shop.settle();
    expect(reasons(shop)).to.deep.equal(['late']);
  });

  it('is not of the future, as far as clocks agree', () => {
    const shop = new Shop(automation({ steps: LONG, reentry: { mode: 'every_time', per: 'profile' } }));
    shop.record('started', {}, { ago: '-PT5M' });
    shop.record('started', {}, { ago: '-PT5M1S' });
    expect([shop.runs.size, reasons(shop)]).to.deep.equal([1, ['future']]);
  });

  it('has a key if the automation has one', () => {
    const reentry = { mode: 'every_time', per: 'key' } as const;
    const shop = new Shop(automation({ key: { property: 'cart' }, reentry, steps: LONG }));
    for (const cart of [undefined, null, '', { id: 1 }, ['a'], 'x'.repeat(256)]) shop.record('started', { cart });
    expect(reasons(shop)).to.deep.equal(Array(6).fill('no_key'));
    for (const cart of ['x'.repeat(255), false, 7]) shop.record('started', { cart });
    expect([...shop.runs.values()].map(({ key }) => key)).to.deep.equal(['x'.repeat(255), 'false', '7']);
  });

  it('enters if the condition on profile and history holds at that time', () => {
    const entry_condition = {
      all: [{ attribute: 'tier', op: 'eq', value: 'gold' }, { did: { event_type: 'ordered', at_least: 2 } }],
    } as const;
    const shop = new Shop(automation({ entry_condition, steps: LONG }), { attributes: { tier: 'silver' } });
    shop.record('started');
    shop.set({ tier: 'gold' });
    shop.record('ordered', {}, { backfill: true });
    shop.record('started');
    shop.record('ordered');
    shop.record('started');
    expect(shop.runs.size).to.equal(1);
    expect(shop.skips().map(({ detail }) => [detail.leaf?.path, detail.leaf?.saw])).to.deep.equal([
      [['all', 0], 'silver'],
      [['all', 1], 1],
    ]);
  });

  it('starts nothing at the end of a chain of six automations', () => {
    const steps = chain(emit('again', 'started'));
    const shop = new Shop(automation({ steps, reentry: { mode: 'every_time', per: 'profile' } }));
    shop.record('started');
    expect([...shop.runs.values()].map(({ depth }) => depth)).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(reasons(shop)).to.deep.equal(['chain_too_long']);
  });
});

describe('a change of an attribute that triggers', () => {
  const enters = (...changes: Record<string, unknown>[]) => {
    const shop = new Shop({ ...BECAME_GOLD, steps: LONG, start: 'day' } as Definition);
    for (const change of changes) shop.set(change);
    return shop.runs.size === 1;
  };

  it('is one to the value, from another one', () => {
    expect(enters({ tier: 'gold' })).to.equal(true);
    expect(enters({ tier: 'silver' }, { tier: 'gold' })).to.equal(true);
    expect(enters({ tier: 'silver' })).to.equal(false);
    expect(enters({ city: 'gold' })).to.equal(false);
  });

  it('is not one of another attribute while the value stays', () => {
    const shop = new Shop(BECAME_GOLD, { attributes: { tier: 'gold' } });
    shop.set({ tier: 'gold', city: 'Ulm' });
    expect(shop.runs.size).to.equal(0);
  });

  it('may be its removal', () => {
    const trigger = { type: 'profile_change', attribute: 'tier', to: { op: 'not_exists' } } as const;
    const shop = new Shop(automation({ trigger, steps: LONG }), { attributes: { tier: 'gold' } });
    shop.set({ tier: null });
    expect(shop.runs.size).to.equal(1);
  });
});

describe('an enrolment by the API', () => {
  it('starts a run with the properties given', () => {
    const steps = chain({ id: 'note', type: 'set_profile', set: { plan: { from: 'event.properties.plan' } } });
    const shop = new Shop(automation({ trigger: { type: 'manual' }, key: { property: 'plan' }, steps }));
    shop.enrol('once', { plan: 'pro' });
    expect([...shop.runs.values()].map(({ key, trigger }) => [key, trigger.id])).to.deep.equal([
      ['pro', 'manual:once'],
    ]);
    expect(shop.attributes()).to.deep.equal({ plan: 'pro' });
  });

  it('is told why it starts none', () => {
    const shop = new Shop(automation({ trigger: { type: 'manual' }, steps: LONG }));
    shop.enrol('one');
    shop.enrol('other');
    shop.status = 'draining';
    shop.enrol('third');
    expect(reasons(shop)).to.deep.equal(['reentry', 'not_live']);
  });

  it('starts none of an automation that events trigger', () => {
    const shop = new Shop(automation({ steps: LONG }));
    shop.enrol('once');
    expect(shop.runs.size).to.equal(0);
  });
});

describe('the explanation of an entry', () => {
  const shop = new Shop(
    automation({
      trigger: { type: 'event', event_type: 'started', filter: { property: 'value', op: 'gte', value: 20 } },
      steps: chain(mark('done')),
    }),
  );
  const explain = (eventType: string, properties: Record<string, unknown>, automationThen = shop.automation) => {
    const event = { ...new Shop(automation()).record(eventType), properties };
    const state = { profileId: 'ada', enrolments: [], runs: [] };
    return explainEntry(state, { type: 'event', event, runId: 'run' }, { now: START, automation: automationThen });
  };

  it('is what the run that would start is decided by', () => {
    expect(explain('started', { value: 20 })).to.deep.equal({ entered: true, key: null, enrolmentKey: '' });
  });

  it('also has the reasons that are not kept', () => {
    expect(explain('started', { value: 5 })).to.deep.equal({
      entered: false,
      reason: 'filter',
      detail: { leaf: { path: [], leaf: { property: 'value', op: 'gte', value: 20 }, saw: 5 } },
    });
    const draining = { ...shop.automation, status: 'draining' } as const;
    expect(explain('started', { value: 20 }, draining)).to.deep.equal({
      entered: false,
      reason: 'not_live',
      detail: {},
    });
  });

  it('is none for events of other types', () => expect(explain('other', {})).to.equal(undefined));
});
