import { expect } from 'chai';
import fc from 'fast-check';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';
import { type Assumption, checkAssumptions } from '../../../src/domain/automations/core/simulation/assumptions.ts';
import { MAX_STEPS, simulate } from '../../../src/domain/automations/core/simulation/simulate.ts';
import type { CustomerEvent } from '../../../src/domain/conditions/subject.ts';
import { fieldOf } from '../../../src/domain/service-error.ts';
import { iso } from '../../../src/domain/time/local.ts';
import { definition } from './support/arbitraries.ts';
import {
  ABANDONED_CART,
  automation,
  BECAME_GOLD,
  BIRTHDAY,
  chain,
  emit,
  mark,
  message,
} from './support/definitions.ts';
import { passRound, perform, rounds } from './support/play.ts';
import { Shop, START } from './support/shop.ts';

const ADA = { id: 'ada', identifiers: { email: 'ada@example.com' }, attributes: { first_name: 'Ada' } };
const checkout: CustomerEvent = {
  id: 'event',
  eventType: 'started_checkout',
  properties: { cart_id: 'c1', value: 59.9 },
  occurredAt: START,
  receivedAt: START,
  backfill: false,
  depth: 0,
};

function simulateCart(assume: Assumption[] = [], profile = ADA, event = checkout) {
  return simulate(ABANDONED_CART, { type: 'event', event, runId: 'run' }, { profile, assume });
}
const steps = ({ timeline }: ReturnType<typeof simulate>) =>
  timeline.map(({ at, stepId, outcome }) => `${iso(at).slice(5, 16)} ${stepId} ${outcome}`);

describe('the simulation of a run', () => {
  it('goes from one due time to the next, to the end', () => {
    const simulated = simulateCart();
    expect(steps(simulated)).to.deep.equal([
      '03-02T10:00 hour started',
      '03-02T10:00 hour delayed',
      '03-02T11:00 vip branched',
      '03-02T11:00 remind delivery_queued',
      '03-02T11:00 bought waiting',
      '03-05T11:00 bought timed_out',
      '03-05T11:00 lost event_emitted',
      '03-05T11:00 end ended',
    ]);
    expect(simulated.run).to.include({ status: 'ended', reason: 'exit_step' });
  });

  it('says what would be sent, and when', () => {
    const { effects } = simulateCart();
    expect(effects.map(({ at, effect }) => [iso(at), effect.type])).to.deep.equal([
      ['2026-03-02T11:00:00.000Z', 'send_webhook'],
      ['2026-03-05T11:00:00.000Z', 'emit_event'],
    ]);
    expect(effects[0]?.effect).to.deep.include({ data: { cart: 'c1', total: 59.9, first_name: 'Ada' } });
  });

  it('says why a branch leads where it does', () => {
    const branched = simulateCart().timeline.find(({ outcome }) => outcome === 'branched');
    expect(branched).to.deep.include({ case: null, next: 'remind' });
    expect((branched as any).leaf).to.deep.include({ path: ['any', 1], saw: 0 });
  });

  it('assumes what the customer does meanwhile', () => {
    const order = simulateCart([
      { after: 'PT30M', event: { event_type: 'placed_order', properties: { cart_id: 'c1' } } },
    ]);
    expect(order.run?.reason).to.equal('exit_event');
    expect(order.effects).to.deep.equal([]);
    const gold = simulateCart([{ after: 'PT30M', set: { tier: 'gold' } }]);
    expect(steps(gold)).to.include('03-02T11:00 gift profile_set').and.include('03-02T11:00 bought matched');
  });

  it('assumes things that happen at the same time in their order', () => {
    const orders = ['first', 'second'].map((name) => ({ event_type: 'order', properties: { name } }));
    const both = chain({
      ...{ id: 'w', type: 'wait', timeout: 'P1D', on_timeout: null },
      for: orders.map(({ properties: { name } }) => {
        return { event_type: 'order', filter: { property: 'name', op: 'eq', value: name }, next: null };
      }),
    });
    const occurrence = { type: 'event', event: { ...checkout, eventType: 'started' }, runId: 'run' } as const;
    const assume = orders.map((event) => ({ after: 'PT1H', event }));
    const { timeline } = simulate(automation({ steps: both }), occurrence, { profile: ADA, assume });
    const matched = timeline.find((entry) => entry.outcome === 'matched');
    expect(matched?.outcome === 'matched' && matched.event?.index).to.equal(0);
  });

  it('follows what the customer really did', () => {
    const order = { ...checkout, id: 'order', eventType: 'placed_order', receivedAt: START + 1, occurredAt: START + 1 };
    const occurrence = { type: 'event', event: checkout, runId: 'run' } as const;
    const { run } = simulate(ABANDONED_CART, occurrence, { profile: ADA, history: [order, checkout] });
    expect(run?.reason).to.equal('exit_event');
  });

  it('says why nothing starts', () => {
    const { run, entry } = simulateCart([], { ...ADA, identifiers: {} } as typeof ADA);
    expect(run).to.equal(undefined);
    expect(entry).to.deep.include({ entered: false, reason: 'entry_condition' });
    const cheap = simulateCart([], ADA, { ...checkout, properties: { cart_id: 'c1', value: 5 } });
    expect(cheap.entry).to.deep.include({ entered: false, reason: 'filter' });
    expect(simulateCart([], ADA, { ...checkout, eventType: 'other' })).to.include({ entry: undefined, run: undefined });
    expect(simulateCart().entry).to.deep.equal({ entered: true, key: 'c1', enrolmentKey: 'c1' });
  });

  it('takes deliveries as successful, unless it is to assume otherwise', () => {
    const one = automation({ steps: chain(message('m', { await: true, on_failure: 'exit' }), mark('sent')) });
    const occurrence = { type: 'event', event: { ...checkout, eventType: 'started' }, runId: 'run' } as const;
    expect(simulate(one, occurrence, { profile: ADA }).run?.reason).to.equal('completed');
    const failed = simulate(one, occurrence, { profile: ADA, assume: [{ step: 'm', delivery: 'failed' }] });
    expect(failed.run?.reason).to.equal('delivery_failed');
  });

  it('takes the way of a split that it is to assume', () => {
    const change = { id: 'change', at: START, depth: 0, changes: { tier: { to: 'gold' } } };
    const ways = [0, 1].map((weight) => {
      const assume = [{ step: 'half', weight }];
      return steps(simulate(BECAME_GOLD, { type: 'change', change, runId: 'run' }, { profile: ADA, assume }));
    });
    expect(ways[0]).to.include('03-02T10:00 tag profile_set');
    expect(ways[1]).not.to.include('03-02T10:00 tag profile_set');
  });

  it('is possible of dates and of enrolments', () => {
    const dueAt = Temporal.Instant.from('2026-05-10T09:00:00Z').epochMilliseconds;
    const profile = { ...ADA, attributes: { birthday: '1990-05-17' } };
    const occasion = { dueAt, day: '2026-05-17' };
    expect(steps(simulate(BIRTHDAY, { type: 'date', occasion, runId: 'run' }, { profile }))).to.deep.equal([
      '05-10T09:00 until started',
      '05-10T09:00 until delayed',
      '05-11T10:00 until ended',
    ]);
    const manual = automation({ trigger: { type: 'manual' }, steps: chain(mark('done')) });
    const enrolled = { type: 'enrol', key: 'k', properties: {}, at: START, runId: 'run' } as const;
    expect(simulate(manual, enrolled, { profile: ADA }).run?.reason).to.equal('completed');
  });

  it('ends, where automations start one another', () => {
    const again = automation({
      reentry: { mode: 'every_time', per: 'profile' },
      steps: chain(emit('a', 'started'), emit('b', 'started'), { id: 'd', type: 'delay', for: 'PT1H' }),
    });
    const occurrence = { type: 'event', event: { ...checkout, eventType: 'started' }, runId: 'run' } as const;
    const { timeline, truncated } = simulate(again, occurrence, { profile: ADA });
    expect(truncated || timeline.length > 0).to.equal(true);
    expect(timeline.length).to.be.at.most(MAX_STEPS);
  });

  it('equals what then happens', () => {
    const followed = { ran: 0 };
    fc.assert(
      fc.property(definition, rounds, fc.constantFrom('one_at_a_time', 'restart'), (one, history, mode) => {
        const alone: Definition = { ...one, reentry: { mode, per: 'profile' } };
        const shop = new Shop(alone, { delivers: true });
        const assume: Assumption[] = [];
        const done: CustomerEvent[] = [];
        let occurrence: { event: CustomerEvent; runId: string; profile: typeof ADA } | undefined;
        for (const round of history) {
          passRound(shop, round);
          const [act] = round.acts;
          if (!act) continue;
          const profile = shop.customer('ada').world.profile() as typeof ADA;
          const mine = { ...act, customer: 'ada' };
          perform(shop, mine);
          if ('set' in mine) {
            const after = occurrence && shop.now - occurrence.event.receivedAt;
            if (after !== undefined) assume.push({ after: `PT${after / 1_000}S`, set: mine.set });
            continue;
          }
          const event = shop.customer('ada').world.events.findLast(({ depth }) => depth === 0) as CustomerEvent;
          done.push(event);
          const run = [...shop.runs.values()][0];
          if (run && !occurrence) occurrence = { event, runId: run.id, profile };
        }
        shop.pass('P60D');
        if (!occurrence) return;
        followed.ran += 1;
        const { event, runId, profile } = occurrence;
        const simulated = simulate(alone, { type: 'event', event, runId }, { profile, history: done, assume });
        expect(simulated.timeline).to.deep.equal(shop.timeline.filter((entry) => entry.runId === runId));
      }),
      { numRuns: 500 },
    );
    expect(followed.ran).to.be.greaterThan(100);
  });
});

describe('assumptions', () => {
  it('are about the time after the trigger, and steps that there are', () => {
    const found = checkAssumptions(ABANDONED_CART, [
      { after: 'PT0S', set: {} },
      { after: '-PT1S', set: {} },
      { after: 'soon', event: { event_type: 'x' } },
      { step: 'remind', delivery: 'failed' },
      { step: 'hour', delivery: 'failed' },
      { step: 'vip', weight: 0 },
    ]);
    expect(found.map(({ path }) => fieldOf(path))).to.deep.equal(['[1].after', '[2].after', '[4].step', '[5].step']);
    expect(checkAssumptions(BECAME_GOLD, [{ step: 'half', weight: 2 }]).map(({ path }) => path)).to.deep.equal([
      [0, 'weight'],
    ]);
  });
});
