import { expect } from 'chai';
import type { Condition } from '../../../src/domain/conditions/condition.ts';
import { evaluate } from '../../../src/domain/conditions/evaluate.ts';
import type { MissingFacts } from '../../../src/domain/conditions/facts-needed.ts';
import { countMatching, MAX_HISTORY } from '../../../src/domain/conditions/history.ts';
import type { CustomerEvent, HistoryQuestion, Subject } from '../../../src/domain/conditions/subject.ts';
import { START } from './support/shop.ts';

describe('conditions on history', () => {
  const asked: HistoryQuestion[] = [];
  const subject = (count: number | 'too_long' | undefined, tier = 'silver'): Subject => ({
    profile: () => ({ id: 'ada', identifiers: {}, attributes: { tier } }),
    history: {
      now: START,
      since: START - 1_000,
      triggerEventId: 'trigger',
      count: (question) => {
        asked.push(question);
        return count;
      },
    },
  });
  const last = () => asked.at(-1);

  it('ask how often a customer did something, within a time before now', () => {
    const did = { event_type: 'placed_order', at_least: 3, within: 'P1D' };
    expect(evaluate({ did }, subject(3)).holds).to.equal(true);
    expect(evaluate({ did }, subject(2))).to.deep.equal({ holds: false, leaf: { path: [], leaf: { did }, saw: 2 } });
    expect(last()).to.deep.equal({ eventType: 'placed_order', from: START - 86_400_000, to: START, enough: 3 });
  });

  it('ask once by default, and one more than is allowed', () => {
    expect(evaluate({ did: { event_type: 'x' } }, subject(0)).holds).to.equal(false);
    expect(last()).to.deep.equal({ eventType: 'x', from: null, to: START, enough: 1 });
    expect(evaluate({ did: { event_type: 'x', at_most: 0 } }, subject(0)).holds).to.equal(true);
    expect(last()?.enough).to.equal(1);
  });

  it('leave out the event that triggered, where they ask since then', () => {
    evaluate({ did: { event_type: 'x', since: 'trigger' } }, subject(0));
    expect(last()).to.deep.equal({ eventType: 'x', from: START - 1_000, to: START, enough: 1, except: 'trigger' });
  });

  it('ask for all that could decide, and for nothing once something else has', () => {
    const did = (event_type: string) => ({ did: { event_type } });
    const gold = { attribute: 'tier', op: 'eq', value: 'gold' } as const;
    const needsOf = (one: Condition, tier?: string) => {
      try {
        evaluate(one, subject(undefined, tier));
        return [];
      } catch (error) {
        return (error as MissingFacts).needs.map((need) => need.type === 'count' && need.question.eventType);
      }
    };
    expect(needsOf({ any: [did('a'), gold, { not: did('b') }] })).to.deep.equal(['a', 'b']);
    expect(needsOf({ any: [did('a'), gold] }, 'gold')).to.deep.equal([]);
    expect(needsOf({ all: [did('a'), gold] })).to.deep.equal([]);
  });

  it('count events of the type, the time and the filter, as many as are needed', () => {
    const event = (parts: Partial<CustomerEvent>): CustomerEvent => ({
      id: 'x',
      eventType: 'order',
      properties: {},
      occurredAt: START,
      receivedAt: START,
      backfill: true,
      depth: 0,
      ...parts,
    });
    const question = {
      eventType: 'order',
      from: START - 10,
      to: START,
      enough: 2,
      except: 'trigger',
      filter: { property: 'value', op: 'gt', value: 5 },
    } as const;
    const fits = event({ properties: { value: 6 } });
    const others = [
      event({ properties: { value: 5 } }),
      event({ properties: { value: 6 }, occurredAt: START - 11 }),
      event({ properties: { value: 6 }, occurredAt: START + 1 }),
      event({ properties: { value: 6 }, eventType: 'refund' }),
      event({ properties: { value: 6 }, id: 'trigger' }),
    ];
    expect(countMatching(question, others)).to.equal(0);
    expect(countMatching(question, [fits, ...others])).to.equal(1);
    expect(countMatching(question, [fits, fits, fits])).to.equal(2);
    expect(countMatching(question, Array(MAX_HISTORY + 1).fill(others[0]))).to.equal('too_long');
  });
});
