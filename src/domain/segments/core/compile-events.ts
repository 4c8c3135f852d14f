import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import { lowestIdAt } from '../../../ids/uuid-v7.ts';
import { at, compareNumber, isIn, isToEnter, later, passes, type Sql } from './compile-leaf.ts';
import type { EventCondition } from './definition.ts';
import { eventsAfter } from './uses.ts';
import { type Span, spanAt } from './windows.ts';

/** What a leaf has become: expressions of the row that is evaluated. */
export interface CompiledLeaf {
  /** Never null. */
  truth: Sql;
  /** The earliest time at which it may change although nothing happens, as a timestamp; null if it never will. */
  next: Sql | null;
  /** What was looked at, as jsonb; null where it is unset. */
  value: Sql;
}

/** Events may lie a year in the future of the moment at which they are received, by which they are partitioned. */
const MAX_AHEAD_MS = 367 * 24 * 60 * 60 * 1000;

/**
 * The one pass over a customer's events that all conditions about events share: each adds its aggregates to it, so that
 * fifty conditions read an event once.
 */
export class EventPass {
  readonly #now: number;
  readonly #columns: Sql[] = [];
  readonly #types = new Set<string>();
  readonly #spans: Span[] = [];
  #needsAll = false;

  constructor(now: number) {
    this.#now = now;
  }

  add(condition: EventCondition): CompiledLeaf {
    const { type, where = [], measure = 'count', property = '', op = 'gte', value = 1, window } = condition;
    const span = spanAt(window, this.#now);
    this.#types.add(type);
    this.#spans.push(span);
    const tests = where.map((test) => passes(sql`(e.properties -> ${test.property}::text)::jsonb`, test));
    // Only what has the type is parsed.
    const matches =
      tests.length === 0
        ? sql`e.event_type = ${type}`
        : sql`case when e.event_type = ${type} then ${sql.join(tests, sql` and `)} else false end`;
    const counted = sql`${isIn(sql`e.occurred_at`, span)} and ${matches}`;
    const measured =
      measure === 'count'
        ? this.#column(sql`count(*) filter (where ${counted})`)
        : this.#column(sql`coalesce(sum(${numberAt(property)}) filter (where ${counted}), 0)`);
    const truth = compareNumber(measured, op, value);
    const isOnce = measure === 'count' && ((op === 'gte' && value === 1) || (op === 'gt' && value === 0));
    const coming = sql`min(e.occurred_at) filter (where ${isToEnter(sql`e.occurred_at`, span)} and ${matches})`;
    const moments = [later(this.#column(coming), span.entersAfter)];
    if (span.leavesAfter !== null) {
      // Somebody who did it once leaves when the latest time is too long ago, else something changes with each.
      const leaving = isOnce ? sql`max(e.occurred_at)` : sql`min(e.occurred_at)`;
      moments.push(later(this.#column(sql`${leaving} filter (where ${counted})`), span.leavesAfter));
    }
    if (span.rollsAt !== null) {
      const any = measure === 'count' ? measured : this.#column(sql`count(*) filter (where ${counted})`);
      moments.push(sql`case when ${any} > 0 then ${at(span.rollsAt)} end`);
    }
    return { truth, next: sql`least(${sql.join(moments)})`, value: sql`to_jsonb(${measured})` };
  }

  /** Compares the time of the last event of all types with a window. */
  addLast(span: Span): CompiledLeaf {
    this.#needsAll = true;
    const now = at(this.#now);
    const last = this.#column(sql`max(e.occurred_at) filter (where e.occurred_at <= ${now})`);
    const coming = this.#column(sql`min(e.occurred_at) filter (where e.occurred_at > ${now})`);
    return timeLeaf(last, span, [coming]);
  }

  /** What to join to `p`, the customer: always one row. Null if no condition asks for events. */
  from(storeId: string): Sql | null {
    if (this.#columns.length === 0) return null;
    const after = this.#needsAll ? null : eventsAfter(this.#spans);
    const first = after === null ? null : lowestIdAt(new Date(after - MAX_AHEAD_MS));
    return sql`
      cross join lateral (
        select ${sql.join(this.#columns.map((column, i) => sql`${column} as ${sql.ref(`c${i}`)}`))}
        from event e
        where e.store_id = ${storeId} and e.profile_id = p.id
          ${after === null ? sql`` : sql`and e.occurred_at > ${at(after)} and e.id >= ${first}::uuid`}
          ${this.#needsAll ? sql`` : sql`and e.event_type = any(${texts([...this.#types])}::text[])`}
      ) ev`;
  }

  #column(aggregate: Sql): Sql {
    this.#columns.push(aggregate);
    return sql`${sql.ref(`ev.c${this.#columns.length - 1}`)}`;
  }
}

function numberAt(property: string): Sql {
  const value = sql`(e.properties -> ${property}::text)`;
  return sql`case when json_typeof(${value}) = 'number' then (${value} #>> '{}')::numeric end`;
}

/** `changes`: when the time itself may become another one. */
export function timeLeaf(time: Sql, span: Span, changes: readonly Sql[] = []): CompiledLeaf {
  const moments = [...changes, sql`case when ${isToEnter(time, span)} then ${later(time, span.entersAfter)} end`];
  if (span.leavesAfter !== null) {
    moments.push(sql`case when ${isIn(time, span)} then ${later(time, span.leavesAfter)} end`);
  }
  if (span.rollsAt !== null) moments.push(sql`case when ${isIn(time, span)} then ${at(span.rollsAt)} end`);
  return { truth: isIn(time, span), next: sql`least(${sql.join(moments)})`, value: sql`to_jsonb(${time})` };
}
