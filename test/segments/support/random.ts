import { type Comparison, OPERATORS_OF_LETTERS, type Operator } from '../../../src/domain/conditions/comparison.ts';
import {
  type Compared,
  type Condition,
  type Did,
  type EventsLeaf,
  IDENTIFIERS,
  type IdentifierLeaf,
  ITEMS_MATCHES,
  type ItemsLeaf,
  type Joined,
  type Occurrence,
  type Sequence,
  type ValueOf,
  type ValueOfEvents,
} from '../../../src/domain/conditions/condition.ts';
import type { DateTest } from '../../../src/domain/conditions/dates.ts';
import type { FormerCondition } from '../../../src/domain/conditions/former.ts';
import { OPERATORS_OF_VALUES } from '../../../src/domain/conditions/value-of.ts';
import type { Window } from '../../../src/domain/conditions/windows.ts';

/** Numbers that are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}

export const TYPES = ['visited', 'ordered', 'refunded'] as const;
const MOMENTS = [
  '2024-02-29',
  '2024-02-29T00:00:00.001Z',
  '2024-02-28T23:30:00-00:30',
  '1999-12-31t10:00:00z',
  '9999-12-31T23:59:59-12:00',
  '0001-01-01T00:00:00+12:00',
] as const;
/** Of items of which several tests hold of one, of different ones, of none; of what has no properties; longer than is looked at. */
const LISTS = [
  [],
  [{ a: 1, b: 'gold' }, { a: 50, b: 'golden' }, {}],
  [{ a: 50, b: 'gold' }],
  [
    { a: null, b: { c: 2.5 } },
    { a: '50', b: ['gold', 2] },
    { a: { b: 1 }, b: { c: true } },
  ],
  ['gold', 50, null, true, [{ a: 50, b: 'gold' }], { b: { c: 50 } }],
  [[], null],
  Array.from({ length: 101 }, (_, n) => (n === 100 ? { a: 50, b: 'gold' } : { a: 1 })),
] as const;
export const VALUES = [
  1,
  2.5,
  50,
  -3,
  0.1,
  0.2,
  1e21,
  '50',
  'gold',
  'golden',
  'Gold',
  'ä',
  'E\u0301te\u0301',
  ['É', 'GOLD'],
  '',
  true,
  false,
  null,
  ['gold', 2],
  { a: 1 },
  ['2024-02-29', 'x'],
  ...LISTS,
  ...MOMENTS,
  '2023-02-29',
  '0000-01-01',
  '2024-02-29T00:00:00+16:00',
  '2024-02-29T00:00:00.0019999Z',
  '0001-01-01T00:00:00+23:59',
  '2024-02-29T24:00:00Z',
] as const;
const SCALARS = [1, 2.5, 0.1, -3, 50, '50', 'gold', 'go', '', true] as const;

/** What definitions name; without windows of its own, some of hours up to days. */
interface Named {
  lists: string[];
  segments: string[];
  window?: () => Window;
  /** Whether none are in today's form alone. */
  isFormer?: boolean;
}

/** Definitions over few names, types and values, so that many of them hold now and then; in today's form and the former one. */
export function randomDefinition(random: Random, named: Named, depth = 1): FormerCondition {
  if (depth < 4 && random.chance(0.5)) {
    const parts = () => Array.from({ length: 1 + random.below(3) }, () => randomDefinition(random, named, depth + 1));
    return random.of([
      () => ({ all: parts() }),
      () => ({ any: parts() }),
      () => ({ not: parts()[0] as FormerCondition }),
    ])();
  }
  return randomLeaf(random, named);
}

function randomLeaf(random: Random, named: Named): FormerCondition {
  const { lists, segments, window = () => randomWindow(random), isFormer } = named;
  const kinds: (() => FormerCondition)[] = [
    () => ({ event: randomEvent(random, window) }),
    () => ({ event: randomEvent(random, window) }),
    () => ({ attribute: { name: random.of(['tier', 'age']), ...randomTest(random, true) } }),
    () => ({ identifier: random.of(['email', 'phone', 'external_id'] as const) }),
    () => ({ profile: { time: random.of(['created_at', 'last_event_at'] as const), window: window() } }),
    () => ({
      consent: {
        channel: random.of(['email', 'sms'] as const),
        status: random.of(['subscribed', 'unsubscribed', 'never', 'suppressed'] as const),
      },
    }),
    ...(lists.length > 0 ? [() => ({ list: random.of(lists) })] : []),
    ...(segments.length > 0 ? [() => ({ segment: random.of(segments) })] : []),
    ...(isFormer ? [] : [0, 1, 2, 3].map(() => () => randomOfToday(random, window, named))),
  ];
  return random.of(kinds)();
}

function randomOfToday(random: Random, window: () => Window, { lists, segments }: Named): Condition {
  return random.of<() => Condition>([
    () => randomOfHistory(random, window),
    () => randomOfHistory(random, window),
    () => randomOfHistory(random, window),
    ...lists.map((list) => () => ({ list, ...randomSince(random, window) })),
    ...segments.map((segment) => () => ({ segment, ...randomSince(random, window) })),
    () => ({ did: randomDid(random, window) }),
    () => ({ attribute: random.of(['tier', ['tier', 'a'], ['age', '0']]), ...randomTest(random) }),
    () => ({ date: { attribute: random.of(['born', 'born', 'tier']), ...randomDays(random, true) } }),
    () => ({
      share: { name: random.of(['a', 'ä b']), ...(random.chance(0.5) ? { from: 20 } : {}), to: random.of([50, 99.5]) },
    }),
    () => randomIdentifier(random),
  ])();
}

function randomSince(random: Random, window: () => Window): Joined {
  return random.of<() => Joined>([() => ({ joined: window() }), () => ({ for: random.of(['PT3H', 'P1D', 'P2D']) })])();
}

function randomIdentifier(random: Random): IdentifierLeaf {
  const identifier = random.of(IDENTIFIERS);
  const op = random.of([
    'exists',
    'not_exists',
    'eq',
    'neq',
    'in',
    'not_in',
    'starts_with',
    'ends_with',
    'contains',
  ] as const);
  const value = () =>
    random.of(['c1', 'C1', 'c2', '3', 'nobody', 'c1@example.com', '@EXAMPLE.com', '+491000001', '+49']);
  if (op === 'exists' || op === 'not_exists') return { identifier, op };
  return {
    ...{ identifier, op, value: op === 'in' || op === 'not_in' ? [value(), value()] : value() },
    ...(random.chance(0.3) ? { ignore_case: true } : {}),
  };
}

function randomEvent(random: Random, window: () => Window) {
  const isSum = random.chance(0.3);
  return {
    type: random.of(TYPES),
    ...(random.chance(0.4) ? { where: [{ property: random.of(['value', 'kind']), ...randomTest(random, true) }] } : {}),
    ...(isSum ? { measure: 'sum' as const, property: 'value' } : {}),
    ...(isSum || random.chance(0.5)
      ? { op: random.of(['eq', 'gt', 'gte', 'lt', 'lte'] as const), value: random.of([0, 1, 2, 3, 52.5, 0.3, -2.9]) }
      : {}),
    ...(random.chance(0.7) ? { window: window() } : {}),
  };
}

function randomDid(random: Random, window: () => Window): Did {
  const comparison = () => ({
    op: random.of(['eq', 'gt', 'gte', 'lt', 'lte'] as const),
    value: random.of([0, 1, 2, 3, 52.5, 0.3, -2.9]),
  });
  return {
    event_type: random.of(TYPES),
    ...(random.chance(0.5) ? { filter: randomFilter(random) } : {}),
    ...random.of([
      () => ({}),
      () => ({ at_least: random.below(4) }),
      () => ({ at_most: random.below(3) }),
      () => ({ at_least: 1, at_most: 2 }),
      () => ({ count: comparison() }),
      () => ({ sum: { property: random.of(['value', ['value', 'a']]), ...comparison() } }),
      () => ({
        [random.of(['average', 'minimum', 'maximum', 'distinct'])]: {
          property: random.of(['value', 'kind']),
          ...comparison(),
        },
      }),
      () => ({
        days: {
          ...comparison(),
          ...(random.chance(0.5) ? { time_zone: random.of(['Europe/Berlin', 'Pacific/Apia']) } : {}),
        },
      }),
    ])(),
    ...random.of([() => ({}), () => ({ window: window() }), () => ({ within: random.of(['PT3H', 'P1D', 'P2D']) })])(),
    ...(random.chance(0.5) ? { from_client: true } : {}),
  };
}

/** First and last events, sequences, and comparisons with what events come to. */
export function randomOfHistory(random: Random, window: () => Window): Condition {
  return random.of<() => Condition>([
    () => ({ occurrence: randomOccurrence(random, window) }),
    () => ({ sequence: randomSequence(random, window) }),
    () => ({ attribute: random.of(['tier', 'age', 'born']), ...randomOther(random, window) }),
    () => randomEventsLeaf(random, window),
  ])();
}

/** When it must have been; by default ever. */
function randomWhen(random: Random, window: () => Window) {
  return random.of<() => { window?: Window; within?: string }>([
    () => ({}),
    () => ({ window: window() }),
    () => ({ within: random.of(['PT3H', 'P1D', 'P2D']) }),
  ])();
}

function randomEvents(random: Random) {
  return {
    event_type: random.of(TYPES),
    ...(random.chance(0.3) ? { filter: randomFilter(random) } : {}),
    ...(random.chance(0.5) ? { from_client: true } : {}),
  };
}

function randomOccurrence(random: Random, window: () => Window): Occurrence {
  return {
    which: random.of(['first', 'last'] as const),
    ...randomEvents(random),
    ...randomWhen(random, window),
    ...(random.chance(0.6) ? { where: randomFilter(random) } : {}),
  };
}

function randomSequence(random: Random, window: () => Window): Sequence {
  return {
    ...randomEvents(random),
    ...randomWhen(random, window),
    // Between events of the same times nothing may pass, or just so much.
    followed_by: {
      ...randomEvents(random),
      within: random.of(['PT1S', 'PT30M', 'PT3H', 'P1D', 'P2D']),
      ...(random.chance(0.7) ? { happened: random.chance(0.4) } : {}),
    },
  };
}

const OF_TEXTS: ReadonlySet<Operator> = new Set(['starts_with', 'ends_with', 'before', 'after']);

/** What events come to, compared with a value or with another one. */
function randomEventsLeaf(random: Random, window: () => Window): EventsLeaf {
  const compared = random.chance(0.7) ? randomOther(random, window) : randomTest(random);
  return { events: randomValueOfEvents(random, window, OF_TEXTS.has(compared.op)), ...compared };
}

function randomValueOfEvents(random: Random, window: () => Window, isOfTexts: boolean): ValueOfEvents {
  const ofProperty = ['sum', 'average', 'minimum', 'maximum', 'distinct', 'first', 'last'] as const;
  return {
    ...randomEvents(random),
    ...randomWhen(random, window),
    ...random.of<() => Pick<ValueOfEvents, 'measure' | 'property' | 'time_zone'>>([
      // Others are numbers, which some operators do not compare.
      ...(isOfTexts
        ? []
        : [
            () => ({ measure: random.of(['count', 'days'] as const) }),
            () => ({ measure: 'days' as const, time_zone: random.of(['Europe/Berlin', 'Pacific/Apia']) }),
          ]),
      () => ({
        measure: random.of(isOfTexts ? (['first', 'last'] as const) : ofProperty),
        property: random.of(['value', 'kind', ['value', 'a']]),
      }),
    ])(),
  };
}

/** A comparison with another value. */
function randomOther(random: Random, window: () => Window): Compared {
  const op = random.of([...OPERATORS_OF_VALUES]);
  const isOfTexts = OF_TEXTS.has(op);
  return {
    op,
    ...(OPERATORS_OF_LETTERS.has(op) && random.chance(0.3) ? { ignore_case: true } : {}),
    value_of: random.of<() => ValueOf>([
      () => ({ attribute: random.of(['tier', 'age', 'born']) }),
      () => ({ did: randomValueOfEvents(random, window, isOfTexts) }),
    ])(),
  };
}

function randomFilter(random: Random, depth = 1): Condition {
  if (depth < 3 && random.chance(0.5)) {
    const parts = () => Array.from({ length: 1 + random.below(2) }, () => randomFilter(random, depth + 1));
    return random.of([() => ({ all: parts() }), () => ({ any: parts() }), () => ({ not: parts()[0] as Condition })])();
  }
  if (random.chance(0.4)) return { items: randomItems(random) };
  if (random.chance(0.2))
    return { date: { property: random.of(['value', 'kind', 'on']), ...randomDays(random, false) } };
  if (random.chance(0.2)) {
    const { value_of: _, ...compared } = randomOther(random, () => ({ last: 'P1D' }));
    return {
      property: random.of(['value', 'kind']),
      ...compared,
      value_of: { property: random.of(['kind', 'on', 'value']) },
    };
  }
  return { property: random.of(['value', 'kind', ['value', 'a'], ['value', '0', 'b']]), ...randomTest(random) };
}

/** Dates that are near a moment in several zones, and some that are not. */
export function randomDate(random: Random, near: number): string {
  const at = near + (random.below(16) - 8) * 86_400_000 + random.of([0, -1, 1]) + random.below(48) * 1_800_000;
  const text = new Date(at).toISOString();
  return random.of([text.slice(0, 10), text, `${1990 + random.below(40)}${text.slice(4, 10)}`, '2024-02-29', 'soon']);
}

export function randomDays(random: Random, hasCustomer: boolean): Omit<DateTest, 'attribute' | 'property'> {
  const days = () => random.of(['P1D', 'P2D', 'P1W', 'P40D']);
  const signed = () =>
    random.of(['P0D', 'P1D', '-P1D', 'P3D', '-P3D', '2024-02-29', '2020-02-28', new Date().toISOString().slice(0, 10)]);
  const name = random.of(['UTC', 'Europe/Berlin', 'Pacific/Apia', 'America/Lima']);
  const zone = random.of([
    {},
    { time_zone: name },
    hasCustomer ? { time_zone: { attribute: 'zone', default: name } } : {},
  ]);
  return {
    ...zone,
    ...random.of<() => object>([
      () => ({ last: days() }),
      () => ({ next: days() }),
      () => ({ before: signed() }),
      () => ({ after: signed() }),
      () => ({ anniversary: { in: random.of(['P0D', 'P2D', '-P2D', 'P300D']) } }),
      () => ({ anniversary: { next: random.of(['P1D', 'P3D', 'P366D']) } }),
    ])(),
  };
}

function randomItems(random: Random): ItemsLeaf['items'] {
  return {
    property: random.of(['value', 'value', 'kind', ['value', 'a']]),
    ...(random.chance(0.8) ? { match: random.of(ITEMS_MATCHES) } : {}),
    where: randomItemTest(random),
  };
}

function randomItemTest(random: Random, depth = 1): Condition {
  if (depth < 3 && random.chance(0.5)) {
    const parts = () => Array.from({ length: 2 }, () => randomItemTest(random, depth + 1));
    return random.of([() => ({ all: parts() }), () => ({ any: parts() }), () => ({ not: parts()[0] as Condition })])();
  }
  const property = random.of(['a', 'b', ['b', 'c'], 'c']);
  if (random.chance(0.8)) return { property, ...randomTest(random) };
  const { op, ignore_case } = randomOther(random, () => ({ last: 'P1D' }));
  return {
    property,
    op,
    ...(ignore_case && { ignore_case }),
    value_of: { property: random.of(['a', 'b', ['b', 'c']]) },
  };
}

/** The former form knows no case that is ignored. */
function randomTest(random: Random, isFormer = false): Comparison {
  const op = random.of([
    ...(['exists', 'not_exists', 'eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in'] as const),
    ...(['contains', 'starts_with', 'ends_with', 'before', 'after'] as const),
  ]);
  if (!isFormer && OPERATORS_OF_LETTERS.has(op) && random.chance(0.3)) {
    const value = () => random.of([...SCALARS, 'GOLD', 'OLD', 'Ä', 'ÉTÉ', 'ß']);
    const text = () => random.of(['GO', 'LD', 'É', 'Go', '']);
    const wanted = op === 'in' || op === 'not_in' ? [value(), value()] : op.endsWith('_with') ? text() : value();
    return { op, value: wanted, ignore_case: true };
  }
  if (op === 'exists' || op === 'not_exists') return { op };
  if (op === 'in' || op === 'not_in') return { op, value: [random.of(SCALARS), random.of(SCALARS)] };
  if (op === 'starts_with') return { op, value: random.of(['go', '', '5']) };
  if (op === 'ends_with') return { op, value: random.of(['ld', '', '0', 'Z']) };
  if (op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte') return { op, value: random.of([1, 2.5, 50]) };
  if (op === 'before' || op === 'after') return { op, value: random.of(MOMENTS) };
  return { op, value: random.of(SCALARS) };
}

/** Of some hours up to some days: that is how much time passes in a test. */
function randomWindow(random: Random): Window {
  const iso = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  return random.of<() => Window>([
    () => ({ last: random.of(['3h', '1d', '2d', '4d']) }),
    () => ({
      last: random.of(['1d', '2d', '1w']),
      calendar: true,
      time_zone: random.of(['UTC', 'Asia/Tokyo', 'America/Lima']),
    }),
    () => ({ from: iso(-random.below(5)), ...(random.chance(0.5) ? { to: iso(1 + random.below(3)) } : {}) }),
    () => ({
      ago: random.of([
        { min: '1d', max: '2d' },
        { min: '6h', max: '4d' },
      ]),
    }),
  ])();
}
