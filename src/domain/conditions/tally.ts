import { DAY } from '../time/duration.ts';
import { zoned } from '../time/local.ts';
import { ExactSum } from './exact-sum.ts';
import { lookUp } from './lookup.ts';
import type { Measure } from './measure.ts';

/** What there is to know of an event. */
export interface Tallied {
  /** Of two events of the same time, the one with the lower id was first. */
  id: string;
  properties: Readonly<Record<string, unknown>>;
  /** Milliseconds. */
  occurredAt: number;
}

/** Works a measure out, one event after the other, as the aggregates of `measureColumn` do in SQL. */
export interface Tally {
  add(event: Tallied): void;
  /** Undefined where there is nothing to work it out of. */
  readonly value: number | undefined;
  /** Another one that goes on from what this has seen. */
  copy(): Tally;
}

/** `start` is what other events come to, of a count or a sum. */
export function tallyOf(measure: Measure, start = 0): Tally {
  switch (measure.of) {
    case 'count':
      return new Summed(() => 1, start);
    case 'sum':
      return new Summed((event) => numberIn(measure, event), start);
    case 'distinct':
      return new Different((event) => scalarIn(measure, event));
    case 'days':
      return new Different(({ occurredAt }) => dayOf(occurredAt, measure.time_zone));
    case 'first':
    case 'last':
      return new Occurred(measure.of);
    case 'times':
      return new Times();
    default:
      return new OfNumbers(measure);
  }
}

class Summed implements Tally {
  readonly #sum = new ExactSum();
  readonly #numberOf: (event: Tallied) => number | undefined;

  constructor(numberOf: (event: Tallied) => number | undefined, start: number) {
    this.#numberOf = numberOf;
    this.#sum.add(start);
  }

  add(event: Tallied): void {
    this.#sum.add(this.#numberOf(event) ?? 0);
  }

  get value(): number {
    return this.#sum.value;
  }

  copy(): Tally {
    return new Summed(this.#numberOf, this.value);
  }
}

type OfProperty = Extract<Measure, { property: unknown }>;

class OfNumbers implements Tally {
  readonly #measure: OfProperty;
  readonly #sum = new ExactSum();
  #count = 0;
  #least = Number.POSITIVE_INFINITY;
  #greatest = Number.NEGATIVE_INFINITY;

  constructor(measure: OfProperty, before?: OfNumbers) {
    this.#measure = measure;
    if (!before) return;
    this.#sum.add(before.#sum.value);
    [this.#count, this.#least, this.#greatest] = [before.#count, before.#least, before.#greatest];
  }

  add(event: Tallied): void {
    const number = numberIn(this.#measure, event);
    if (number === undefined) return;
    this.#count += 1;
    this.#sum.add(number);
    this.#least = Math.min(this.#least, number);
    this.#greatest = Math.max(this.#greatest, number);
  }

  get value(): number | undefined {
    if (this.#count === 0) return undefined;
    if (this.#measure.of === 'average') return this.#sum.value / this.#count;
    return this.#measure.of === 'minimum' ? this.#least : this.#greatest;
  }

  copy(): Tally {
    return new OfNumbers(this.#measure, this);
  }
}

class Different implements Tally {
  readonly #seen: Set<unknown>;
  readonly #keyOf: (event: Tallied) => unknown;

  constructor(keyOf: (event: Tallied) => unknown, seen: ReadonlySet<unknown> = new Set()) {
    this.#keyOf = keyOf;
    this.#seen = new Set(seen);
  }

  add(event: Tallied): void {
    const value = this.#keyOf(event);
    if (value !== undefined) this.#seen.add(value);
  }

  get value(): number {
    return this.#seen.size;
  }

  copy(): Tally {
    return new Different(this.#keyOf, this.#seen);
  }
}

/** The first or the last event, whose time is the value. */
export class Occurred implements Tally {
  readonly #which: 'first' | 'last';
  #event: Tallied | undefined;

  constructor(which: 'first' | 'last', event?: Tallied) {
    this.#which = which;
    this.#event = event;
  }

  add(event: Tallied): void {
    if (!this.#event || isEarlier(event, this.#event) === (this.#which === 'first')) this.#event = event;
  }

  get event(): Tallied | undefined {
    return this.#event;
  }

  get value(): number | undefined {
    return this.#event?.occurredAt;
  }

  copy(): Tally {
    return new Occurred(this.#which, this.#event);
  }
}

function isEarlier(one: Tallied, other: Tallied): boolean {
  return one.occurredAt < other.occurredAt || (one.occurredAt === other.occurredAt && one.id < other.id);
}

/** When events were, in their order; how many there are is the value. */
export class Times implements Tally {
  readonly #times: number[];

  constructor(times: readonly number[] = []) {
    this.#times = [...times];
  }

  add({ occurredAt }: Tallied): void {
    this.#times.push(occurredAt);
  }

  get inOrder(): readonly number[] {
    return this.#times.toSorted((one, other) => one - other);
  }

  get value(): number {
    return this.#times.length;
  }

  copy(): Tally {
    return new Times(this.#times);
  }
}

function numberIn({ property }: OfProperty, { properties }: Tallied): number | undefined {
  const value = lookUp(properties, property);
  return typeof value === 'number' ? value : undefined;
}

/** Lists and objects are no values that could be the same. */
function scalarIn({ property }: OfProperty, { properties }: Tallied): unknown {
  const value = lookUp(properties, property);
  return typeof value === 'object' ? undefined : value;
}

function dayOf(ms: number, zone: string | undefined): number | string {
  return zone === undefined ? Math.floor(ms / DAY) : zoned(ms, zone).toPlainDate().toString();
}
