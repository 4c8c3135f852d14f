import { expect } from 'chai';
import { compare } from '../../src/domain/conditions/compare.ts';
import type { Comparison } from '../../src/domain/conditions/comparison.ts';
import { type FormerCondition, inTodaysForm, placeInFormer } from '../../src/domain/conditions/former.ts';
import { spanAt, type Window } from '../../src/domain/conditions/windows.ts';
import { isMember, type KnownEvent, type KnownProfile } from '../../src/domain/segments/core/naive.ts';
import { Random, randomDefinition, TYPES, VALUES } from './support/random.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
const DEFINITIONS = 3_000;

type FormerLeaf = Exclude<FormerCondition, { all: unknown } | { any: unknown } | { not: unknown }>;
type FormerEvent = Extract<FormerLeaf, { event: unknown }>['event'];

describe('Conditions of former segments', () => {
  it('mean in today’s form what they meant', () => {
    const random = new Random(1);
    for (let n = 0; n < DEFINITIONS; n += 1) {
      const definition = randomDefinition(random, { lists: ['news'], segments: ['vips'], isFormer: true });
      const customer = randomCustomer(random);
      const place = `${JSON.stringify(definition)} of ${JSON.stringify(customer)}`;
      expect(isMember(inTodaysForm(definition), customer, NOW), place).to.equal(wasMember(definition, customer));
    }
  });

  it('stay as they are once they are in it', () => {
    const random = new Random(2);
    for (let n = 0; n < 500; n += 1) {
      const definition = inTodaysForm(randomDefinition(random, { lists: ['news'], segments: ['vips'] }));
      expect(inTodaysForm(definition)).to.deep.equal(definition);
    }
  });

  it('are found again by their places', () => {
    const tests = [{ property: 'a', op: 'exists' } as const, { property: 'b', op: 'exists' } as const];
    const given: FormerCondition = {
      all: [
        { event: { type: 'x', where: tests.slice(0, 1), measure: 'sum', property: 'p', op: 'gt', value: 1 } },
        { not: { event: { type: 'x', where: tests, op: 'gt', value: 1, window: { last: '1d' } } } },
        { attribute: { name: 'tier', op: 'eq', value: 'gold' } },
        { did: { event_type: 'x', filter: { not: { property: 'a', op: 'exists' } } } },
      ],
    };
    for (const [path, former] of [
      ['all.0.did.filter.property', 'all.0.event.where.0.property'],
      ['all.0.did.sum.property', 'all.0.event.property'],
      ['all.0.did.sum.value', 'all.0.event.value'],
      ['all.1.not.did.filter.all.1.op', 'all.1.not.event.where.1.op'],
      ['all.1.not.did.count.op', 'all.1.not.event.op'],
      ['all.1.not.did.event_type', 'all.1.not.event.type'],
      ['all.1.not.did.window.last', 'all.1.not.event.window.last'],
      ['all.2.attribute', 'all.2.attribute.name'],
      ['all.2.value', 'all.2.attribute.value'],
      ['all.3.did.filter.not.property', 'all.3.did.filter.not.property'],
    ] as const) {
      const steps = path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
      expect(placeInFormer(given, steps).join('.')).to.equal(former);
    }
  });
});

function randomCustomer(random: Random): KnownProfile {
  const events = Array.from(
    { length: random.below(6) },
    (): KnownEvent => ({
      id: '',
      eventType: random.of(TYPES),
      occurredAt: NOW - random.below(120) * HOUR + random.of([-1, 0, 1]),
      properties: { value: random.of(VALUES), ...(random.chance(0.5) ? { kind: random.of(VALUES) } : {}) },
      fromClient: random.chance(0.5),
    }),
  );
  return {
    id: '',
    attributes: { tier: random.of(VALUES), ...(random.chance(0.5) ? { age: random.of(VALUES) } : {}) },
    identifiers: random.chance(0.5) ? { email: 'ada@example.com' } : { phone: '+441632960961' },
    createdAt: NOW - random.below(120) * HOUR,
    events,
    consents: random.chance(0.5) ? { email: { status: 'subscribed', suppressed: random.chance(0.5) } } : {},
    lists: new Map(random.chance(0.5) ? [['news', NOW]] : []),
    segments: new Map(random.chance(0.5) ? [['vips', NOW]] : []),
  };
}

/** What they meant, before there was one language of conditions. */
function wasMember(definition: FormerCondition, customer: KnownProfile): boolean {
  if ('not' in definition) return !wasMember(definition.not, customer);
  if ('all' in definition) return definition.all.every((part) => wasMember(part, customer));
  if ('any' in definition) return definition.any.some((part) => wasMember(part, customer));
  return held(definition, customer);
}

function held(leaf: FormerLeaf, customer: KnownProfile): boolean {
  if ('event' in leaf) return happened(leaf.event, customer.events);
  if ('attribute' in leaf) {
    const { name, ...test } = leaf.attribute as Comparison & { name: string };
    return compare(customer.attributes[name] ?? undefined, test);
  }
  if ('identifier' in leaf) return leaf.identifier in customer.identifiers;
  if ('list' in leaf) return customer.lists.has(leaf.list);
  if ('segment' in leaf) return customer.segments.has(leaf.segment);
  if ('consent' in leaf) {
    const { status, suppressed } = customer.consents[leaf.consent.channel] ?? { status: 'never', suppressed: false };
    return leaf.consent.status === 'suppressed' ? suppressed : status === leaf.consent.status;
  }
  if (!('profile' in leaf)) throw new TypeError('Segments did not have that');
  const { time, window } = leaf.profile;
  const times = customer.events.map(({ occurredAt }) => occurredAt).filter((at) => at <= NOW);
  return isIn(time === 'created_at' ? customer.createdAt : Math.max(...times), window);
}

function happened(condition: FormerEvent, events: readonly KnownEvent[]): boolean {
  const { type, where = [], measure = 'count', property = '', op = 'gte', value = 1, window } = condition;
  const counted = events.filter(
    (event) =>
      event.eventType === type &&
      isIn(event.occurredAt, window) &&
      where.every((test) => compare(event.properties[test.property] ?? undefined, test)),
  );
  if (measure === 'count') return compare(counted.length, { op, value });
  const numbers = counted.map(({ properties }) => properties[property]).filter((one) => typeof one === 'number');
  // In thousandths, which all of them and their sums are.
  const sum = numbers.reduce((total, number) => total + BigInt(Math.round(number * 1_000)), 0n);
  const wanted = BigInt(Math.round(value * 1_000));
  return { eq: sum === wanted, gt: sum > wanted, gte: sum >= wanted, lt: sum < wanted, lte: sum <= wanted }[op];
}

function isIn(at: number, window: Window | undefined): boolean {
  if (!Number.isFinite(at)) return false;
  const { after, until } = spanAt(window && inIso(window), NOW);
  return (after === null || at > after) && at <= until;
}

/** Hours and days alone, as they are here. */
function inIso(window: Window): Window {
  const iso = (span: string) => `P${span.endsWith('h') ? 'T' : ''}${span.toUpperCase()}`;
  if ('last' in window) return { ...window, last: iso(window.last) };
  return 'ago' in window ? { ago: { min: iso(window.ago.min), max: iso(window.ago.max) } } : window;
}
