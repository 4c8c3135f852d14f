import type { Definition, Leaf, Window } from '../../../src/domain/segments/core/definition.ts';

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
  '',
  true,
  false,
  null,
  ['gold', 2],
  { a: 1 },
] as const;
const SCALARS = [1, 2.5, 0.1, -3, 50, '50', 'gold', 'go', '', true] as const;

/** What definitions name; without windows of its own, some of hours up to days. */
interface Named {
  lists: string[];
  segments: string[];
  window?: () => Window;
}

/** Definitions over few names, types and values, so that many of them hold now and then. */
export function randomDefinition(random: Random, named: Named, depth = 1): Definition {
  if (depth < 4 && random.chance(0.5)) {
    const parts = () => Array.from({ length: 1 + random.below(3) }, () => randomDefinition(random, named, depth + 1));
    return random.of([() => ({ all: parts() }), () => ({ any: parts() }), () => ({ not: parts()[0] as Definition })])();
  }
  return randomLeaf(random, named);
}

function randomLeaf(random: Random, { lists, segments, window = () => randomWindow(random) }: Named): Leaf {
  const kinds: (() => Leaf)[] = [
    () => ({ event: randomEvent(random, window) }),
    () => ({ event: randomEvent(random, window) }),
    () => ({ attribute: { name: random.of(['tier', 'age']), ...randomTest(random) } }),
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
  ];
  return random.of(kinds)();
}

function randomEvent(random: Random, window: () => Window): Extract<Leaf, { event: unknown }>['event'] {
  const isSum = random.chance(0.3);
  return {
    type: random.of(TYPES),
    ...(random.chance(0.4) ? { where: [{ property: random.of(['value', 'kind']), ...randomTest(random) }] } : {}),
    ...(isSum ? { measure: 'sum', property: 'value' } : {}),
    ...(isSum || random.chance(0.5)
      ? { op: random.of(['eq', 'gt', 'gte', 'lt', 'lte'] as const), value: random.of([0, 1, 2, 3, 52.5, 0.3, -2.9]) }
      : {}),
    ...(random.chance(0.7) ? { window: window() } : {}),
  };
}

function randomTest(random: Random) {
  const op = random.of([
    ...(['exists', 'not_exists', 'eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in'] as const),
    ...(['contains', 'starts_with'] as const),
  ]);
  if (op === 'exists' || op === 'not_exists') return { op };
  if (op === 'in' || op === 'not_in') return { op, value: [random.of(SCALARS), random.of(SCALARS)] };
  if (op === 'starts_with') return { op, value: random.of(['go', '', '5']) };
  if (op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte') return { op, value: random.of([1, 2.5, 50]) };
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
