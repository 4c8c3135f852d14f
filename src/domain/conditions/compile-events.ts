import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import { lowestIdAt } from '../../ids/uuid-v7.ts';
import { durationMs } from '../time/duration.ts';
import type { Name } from './comparison.ts';
import { compareNumber, passes, type Sql, valueAt } from './compile-comparison.ts';
import { compileDate } from './compile-dates.ts';
import { compileFollowed } from './compile-follows.ts';
import { compileItems } from './compile-items.ts';
import { ID_LENGTH, measureColumn, placeColumn, valueOfMeasure } from './compile-measure.ts';
import { passesOther } from './compile-other.ts';
import { at, isIn, isToEnter, later } from './compile-times.ts';
import {
  boundsOf,
  type Condition,
  type Did,
  type EventsAsked,
  type Occurrence,
  type Sequence,
  type ValueOfEvents,
} from './condition.ts';
import { dateBounds, movesWithDays, zoneOfDays } from './dates.ts';
import { spellingsOf } from './event-types.ts';
import { COUNT, type Measure, measuredIn } from './measure.ts';
import { leavesOf } from './tree.ts';
import { measureOf } from './value-of.ts';
import { earliestOf, type Span, spanAt, spanOf } from './windows.ts';

/** Events may lie a year in the future of the moment at which they are received, by which they are partitioned. */
export const MAX_AHEAD_MS = 367 * 24 * 60 * 60 * 1000;

/** What a leaf has become: expressions of the row that is evaluated. */
export interface CompiledLeaf {
  /** Never null. */
  truth: Sql;
  /** The earliest time at which it may change although nothing happens, as a timestamp; null if it never will. */
  next: Sql | null;
  /** Returns what was looked at, as jsonb; null where it is unset. */
  value: () => Sql;
}

/** Events that a condition means. */
interface Asked {
  /** The same for the same events. */
  key: string;
  /** Whether `e` is one of them. */
  matches: Sql;
  moments: Sql[];
}

/**
 * The one pass over a customer's events that all conditions about events share: each adds its aggregates to it, so that
 * fifty conditions read an event once.
 */
export class EventPass {
  readonly #storeId: string;
  readonly #now: number;
  readonly #columns = new Map<string, [name: string, aggregate: Sql]>();
  /** Of the first and last events whose properties are asked for. */
  readonly #places = new Map<string, Sql>();
  readonly #types = new Set<string>();
  readonly #spans: Span[] = [];
  #needsAll = false;

  constructor(storeId: string, now: number) {
    this.#storeId = storeId;
    this.#now = now;
  }

  add(did: Did): CompiledLeaf {
    const { measure } = measuredIn(did) ?? { measure: COUNT };
    const span = spanOf(did, this.#now);
    const { key, matches, moments } = this.#asked(did, span);
    const bounds = boundsOf(did);
    const isOnce =
      measure.of === 'count' &&
      bounds.every(({ op, value }) => (op === 'gte' ? value === 1 : op === 'gt' && value === 0));
    let truth: Sql | undefined;
    if (isOnce && span.leavesAfter !== null) {
      // Somebody who did it once leaves when the latest time is too long ago.
      const leaving = this.#column(`latest ${key}`, sql`max(e.occurred_at) filter (where ${matches})`);
      moments.push(later(leaving, span.leavesAfter));
      truth = sql`(${leaving} is not null)`;
    } else moments.push(...this.#leaving(key, matches, span));
    const measured = () => this.#measured(key, measure, matches);
    truth ??= sql`coalesce(${sql.join(
      bounds.map(({ op, value }) => compareNumber(measured(), op, value)),
      sql` and `,
    )}, false)`;
    return { truth, next: sql`least(${sql.join(moments)})`, value: () => sql`to_jsonb(${measured()})` };
  }

  /** What events come to, or what the first or the last has, as jsonb; and when that may change although nothing happens. */
  addValue(asked: ValueOfEvents): Pick<CompiledLeaf, 'next'> & { value: Sql } {
    const span = spanOf(asked, this.#now);
    const { key, matches, moments } = this.#asked(asked, span);
    const next = sql`least(${sql.join([...moments, ...this.#leaving(key, matches, span)])})`;
    const measure = measureOf(asked);
    if (measure.of !== 'first' && measure.of !== 'last') {
      return { value: valueOfMeasure(measure, this.#measured(key, measure, matches)), next };
    }
    const found = this.#occurrence(key, measure.of, matches);
    return { value: asJsonb(valueAt(found, asked.property as Name)), next };
  }

  /** Asks when the first or the last event was, and what it is like. */
  addOccurrence({ which, where, ...asked }: Occurrence): CompiledLeaf {
    const span = spanOf(asked, this.#now);
    // Of the last one, what is before the span need not be read: if that is the last, it is not in there.
    const read = { ...spanAt(undefined, this.#now), after: which === 'last' ? span.after : null };
    const { key, matches, moments } = this.#asked(asked, read);
    const end = which === 'first' ? sql`min` : sql`max`;
    const time = this.#column(`time ${which} ${key}`, sql`${end}(e.occurred_at) filter (where ${matches})`);
    const { truth: isThen, next, value } = timeLeaf(time, span, moments);
    if (!where) return { truth: isThen, next, value };
    const test = compileFilter(where, this.#now, this.#occurrence(key, which, matches));
    const truth = sql`(${isThen} and ${test})`;
    const rollsAt = nextDayOf(where, this.#now);
    if (rollsAt === null) return { truth, next, value };
    return { truth, next: sql`least(${next}, case when ${time} is not null then ${at(rollsAt)} end)`, value };
  }

  /** Asks whether one event was followed by another. */
  addSequence({ followed_by: followedBy, ...first }: Sequence): CompiledLeaf {
    const { within: length, happened = true, ...second } = followedBy;
    const [span, within] = [spanOf(first, this.#now), durationMs(length)];
    const one = this.#asked(first, span);
    const other = this.#asked(second, { ...spanAt(undefined, this.#now), after: span.after });
    const moments = [...one.moments, ...other.moments, ...this.#leaving(one.key, one.matches, span)];
    if (!happened) {
      const isOpen = sql`${one.matches} and e.occurred_at >= ${later(at(this.#now), -within)}`;
      const open = this.#column(`open ${within} ${one.key}`, sql`min(e.occurred_at) filter (where ${isOpen})`);
      // Something that follows at its last moment still does.
      moments.push(later(open, within + 1));
    }
    const timesOf = ({ key, matches }: Asked) =>
      this.#column(`times ${key}`, sql`array_agg(e.occurred_at) filter (where ${matches})`);
    return {
      truth: compileFollowed(timesOf(one), timesOf(other), { within, happened }, this.#now),
      next: sql`least(${sql.join(moments)})`,
      value: () => sql`to_jsonb(${this.#measured(one.key, COUNT, one.matches)})`,
    };
  }

  /** Which events are meant, and when others may be although nothing happens, but for those that leave the span. */
  #asked({ event_type: type, filter, from_client = false }: EventsAsked, span: Span): Asked {
    const types = spellingsOf(type);
    for (const one of types) this.#types.add(one);
    this.#spans.push(span);
    const key = JSON.stringify([type, filter, span, from_client]);
    const tests = [...(from_client ? [] : [IS_OF_STORE]), ...(filter ? [compileFilter(filter, this.#now)] : [])];
    const isThere = sql`${isOfType(types)} and ${isBetween(span)}`;
    // The type first, which most events do not have: only what has it is compared further, and parsed.
    const matches =
      tests.length === 0 ? isThere : sql`case when ${isThere} then ${sql.join(tests, sql` and `)} else false end`;
    const moments = [later(this.#coming(types, span), span.entersAfter)];
    const rollsAt = filter ? nextDayOf(filter, this.#now) : null;
    if (rollsAt !== null) {
      const those = this.#column(`of type ${key}`, sql`count(*) filter (where ${isThere})`);
      moments.push(sql`case when ${those} > 0 then ${at(rollsAt)} end`);
    }
    return { key, matches, moments };
  }

  /** When something changes with each event that leaves the span. */
  #leaving(key: string, matches: Sql, span: Span): Sql[] {
    const moments: Sql[] = [];
    if (span.leavesAfter !== null) {
      const leaving = this.#column(`earliest ${key}`, sql`min(e.occurred_at) filter (where ${matches})`);
      moments.push(later(leaving, span.leavesAfter));
    }
    if (span.rollsAt !== null) {
      moments.push(sql`case when ${this.#measured(key, COUNT, matches)} > 0 then ${at(span.rollsAt)} end`);
    }
    return moments;
  }

  #measured(key: string, measure: Measure, matches: Sql): Sql {
    return this.#column(`${JSON.stringify(measure)} ${key}`, measureColumn(measure, matches));
  }

  /** The properties of the first or the last event; null if there is none. */
  #occurrence(key: string, which: 'first' | 'last', matches: Sql): Sql {
    const place = this.#column(`${which} ${key}`, placeColumn(which, matches));
    const name = `${which} ${key}`;
    this.#places.set(name, place);
    return sql.ref(`occurred.o${[...this.#places.keys()].indexOf(name) + 1}`);
  }

  /** When the next event of a type enters a span, whatever else it would have to be. */
  #coming(types: readonly string[], span: Span): Sql {
    const key = `coming ${JSON.stringify([types, span.until, span.lastToEnter])}`;
    const filter = sql`${isToEnter(sql`e.occurred_at`, span)} and ${isOfType(types)}`;
    return this.#column(key, sql`min(e.occurred_at) filter (where ${filter})`);
  }

  /** Compares the time of the last event of all types with a window. */
  addLast(span: Span): CompiledLeaf {
    this.#needsAll = true;
    const now = at(this.#now);
    const last = this.#column('last', sql`max(e.occurred_at) filter (where e.occurred_at <= ${now})`);
    const coming = this.#column('next', sql`min(e.occurred_at) filter (where e.occurred_at > ${now})`);
    return timeLeaf(last, span, [coming]);
  }

  /** How many events of a customer it reads, of all types. */
  count(): Sql {
    return this.#columns.size === 0 ? sql`0::float8` : this.#column('events', sql`coalesce(max(e.n), 0)::float8`);
  }

  /** What to join to `p`, the customer: always one row. Null if no condition asks for events. */
  from(): Sql | null {
    if (this.#columns.size === 0) return null;
    const after = this.#needsAll ? null : earliestOf(this.#spans);
    const first = after === null ? null : lowestIdAt(new Date(after - MAX_AHEAD_MS));
    // By the customer, whatever the planner knows of the table: no other index could give the order, and types are asked for
    // outside, where they can't be looked up. As a pair, the time bounds what is read of the index also before Postgres 18.
    // Of the other types the last event stays, whose number is how many were read.
    return sql`
      cross join lateral (
        select ${sql.join([...this.#columns.values()].map(([name, column]) => sql`${column} as ${sql.ref(name)}`))}
        from (
          select id, event_type, occurred_at, properties, source, row_number() over () as n, lead(true) over () is null as is_last
          from event
          where store_id = ${this.#storeId} and profile_id <= p.id
            ${
              after === null
                ? sql`and profile_id >= p.id`
                : sql`and (profile_id, occurred_at) > (p.id, ${at(after)}) and id >= ${first}::uuid`
            }
          order by profile_id, occurred_at
          offset 0
        ) e
        ${this.#needsAll ? sql`` : sql`where e.event_type = any(${texts([...this.#types])}::text[]) or e.is_last`}
      ) ev
      ${this.#occurred()}`;
  }

  /** Reads the first and last events of whose properties something is asked, in one subquery: to plan fifty takes seconds. */
  #occurred(): Sql {
    const places = [...this.#places.values()];
    if (places.length === 0) return sql``;
    const ids = places.map((place) => sql`"right"(${place}, ${sql.lit(ID_LENGTH)})::uuid`);
    const columns = places.map((_, i) => {
      return sql`(array_agg(e.properties) filter (where w.n = ${sql.lit(i + 1)}))[1] as ${sql.ref(`o${i + 1}`)}`;
    });
    return sql`
      cross join lateral (
        select ${sql.join(columns)}
        from unnest(array[${sql.join(ids)}]::uuid[]) with ordinality as w (id, n)
        cross join lateral (
          select properties from event where store_id = ${this.#storeId} and id = w.id limit 1
        ) e
      ) occurred`;
  }

  /** Aggregates with the same key are the same, and worked out once. */
  #column(key: string, aggregate: Sql): Sql {
    const [name] = this.#columns.get(key) ?? [`c${this.#columns.size}`];
    this.#columns.set(key, [name, aggregate]);
    return sql`${sql.ref(`ev.${name}`)}`;
  }
}

function isOfType(types: readonly string[]): Sql {
  return types.length === 1 ? sql`e.event_type = ${types[0]}` : sql`e.event_type = any(${texts(types)}::text[])`;
}

/** Of an event, whose time is never null. */
function isBetween({ after, until }: Span): Sql {
  const isPast = sql`e.occurred_at <= ${at(until)}`;
  return after === null ? isPast : sql`e.occurred_at > ${at(after)} and ${isPast}`;
}

/** What a page or an app sent, anybody may have. */
/** Of an event `e`: that no page or app has sent it, with a public key. */
export const IS_OF_STORE = sql<boolean>`(e.source ->> 'client') is distinct from 'true'`;

/** Of the properties of an event, or of one of its items; never null. */
export function compileFilter(filter: Condition, now: number, properties = sql`e.properties`): Sql {
  const compileAll = (parts: readonly Condition[]) => parts.map((part) => compileFilter(part, now, properties));
  if ('not' in filter) return sql`(not ${compileFilter(filter.not, now, properties)})`;
  if ('all' in filter) return sql`(${sql.join(compileAll(filter.all), sql` and `)})`;
  if ('any' in filter) return sql`(${sql.join(compileAll(filter.any), sql` or `)})`;
  if ('items' in filter) {
    const { property, where, match = 'any' } = filter.items;
    return compileItems(asJsonb(valueAt(properties, property)), match, (item) => compileFilter(where, now, item));
  }
  if ('date' in filter) {
    const value = asJsonb(valueAt(properties, filter.date.property as Name));
    return compileDate(value, filter.date, { now, attributes: sql`null::jsonb`, zones: [] }).truth;
  }
  if (!('property' in filter)) throw new TypeError('Filters are of properties alone');
  const value = asJsonb(valueAt(properties, filter.property));
  if (!filter.value_of) return passes(value, filter);
  return passesOther(value, filter, asJsonb(valueAt(properties, filter.value_of.property as Name)));
}

/** When the days that a filter asks for become others; null if it asks for none. */
function nextDayOf(filter: Condition, now: number): number | null {
  const moments = [...leavesOf(filter)].flatMap(({ leaf }) => {
    if (!('date' in leaf) || !movesWithDays(leaf.date)) return [];
    return [dateBounds(leaf.date, now, zoneOfDays(leaf.date.time_zone, undefined)).rollsAt ?? now];
  });
  return moments.length === 0 ? null : Math.min(...moments);
}

/** Of what is json; of jsonb it costs nothing. */
function asJsonb(value: Sql): Sql {
  return sql`(${value})::jsonb`;
}

/** `changes`: when the time itself may become another one. */
export function timeLeaf(time: Sql, span: Span, changes: readonly Sql[] = []): CompiledLeaf {
  const moments = [...changes, sql`case when ${isToEnter(time, span)} then ${later(time, span.entersAfter)} end`];
  if (span.leavesAfter !== null) {
    moments.push(sql`case when ${isIn(time, span)} then ${later(time, span.leavesAfter)} end`);
  }
  if (span.rollsAt !== null) moments.push(sql`case when ${isIn(time, span)} then ${at(span.rollsAt)} end`);
  return { truth: isIn(time, span), next: sql`least(${sql.join(moments)})`, value: () => sql`to_jsonb(${time})` };
}
