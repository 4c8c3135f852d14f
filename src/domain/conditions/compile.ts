import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import { spellingsToFind } from './compare-identifier.ts';
import type { Comparison, Name, Scalar } from './comparison.ts';
import { passes, type Sql, valueAt } from './compile-comparison.ts';
import { compileDate } from './compile-dates.ts';
import { type CompiledLeaf, EventPass, timeLeaf } from './compile-events.ts';
import { passesOther } from './compile-other.ts';
import { compileShare } from './compile-share.ts';
import type { AttributeLeaf, Condition, EventsLeaf, IdentifierLeaf, Leaf, ListLeaf, SegmentLeaf } from './condition.ts';
import { spanAt, spanOfJoined } from './windows.ts';

/** A row of the compiled statement. */
export interface EvaluatedRow {
  id: string;
  /** How many were read. */
  events: number;
  /** For each definition whether the customer is in the segment: `{t,f}`. */
  truths: string;
  /** For each definition when that may change although nothing happens, in milliseconds, if ever: `{1.5,NULL}`. */
  nexts: string;
}

/** The same of one definition, with its leaves in their order. */
export interface ExplainedRow {
  id: string;
  truths: boolean[];
  nexts: (number | null)[];
  leafTruths: boolean[];
  leafNexts: (number | null)[];
  /** JSON. */
  leafValues: (string | null)[];
}

interface Place {
  storeId: string;
  /** Milliseconds. */
  now: number;
  /** The names of time zones that customers have, where conditions ask for those. */
  zones?: readonly string[];
}

/**
 * Compiles definitions to one statement, which evaluates them at a moment for a set of customers, and reads their events
 * once. Its rows are `EvaluatedRow`s, in no order; ids that are no profiles of the store have none.
 */
export function compile(conditions: readonly Condition[], profileIds: readonly string[], place: Place): Sql {
  const row = new Row(place);
  const compiled = conditions.map((condition) => row.compile(condition));
  return row.select(profileIds, [
    sql`${row.events} as events`,
    // As texts, which are read faster than arrays.
    sql`array[${sql.join(compiled.map(({ truth }) => truth))}]::boolean[]::text as truths`,
    sql`array[${sql.join(compiled.map(({ nexts }) => millis(leastOf(nexts))))}]::float8[]::text as nexts`,
  ]);
}

/** The same of one definition; its rows are `ExplainedRow`s. */
export function compileExplained(definition: Condition, profileIds: readonly string[], place: Place): Sql {
  const row = new Row(place);
  const { truth, nexts, leaves } = row.compile(definition);
  return row.select(profileIds, [
    sql`array[${truth}]::boolean[] as truths`,
    sql`array[${millis(leastOf(nexts))}]::float8[] as nexts`,
    sql`array[${sql.join(leaves.map((leaf) => leaf.truth))}]::boolean[] as "leafTruths"`,
    sql`array[${sql.join(leaves.map(({ next }) => millis(next ?? sql`null::timestamptz`)))}]::float8[] as "leafNexts"`,
    sql`array[${sql.join(leaves.map(({ value }) => sql`"left"((${value()})::text, ${MAX_VALUE}::int)`))}]::text[]
      as "leafValues"`,
  ]);
}

/** Characters of a value that are shown; a longer one is no JSON any more, and then is left out. */
const MAX_VALUE = 1_000;

interface Compiled {
  truth: Sql;
  nexts: Sql[];
  leaves: CompiledLeaf[];
}

class Row {
  readonly #place: Place;
  readonly #events: EventPass;

  constructor(place: Place) {
    this.#place = place;
    this.#events = new EventPass(place.storeId, place.now);
  }

  get events(): Sql {
    return this.#events.count();
  }

  compile(definition: Condition): Compiled {
    if ('not' in definition) {
      const part = this.compile(definition.not);
      return { ...part, truth: sql`(not ${part.truth})` };
    }
    if ('all' in definition || 'any' in definition) {
      const [parts, operator] = 'all' in definition ? [definition.all, sql` and `] : [definition.any, sql` or `];
      const compiled = parts.map((part) => this.compile(part));
      return {
        truth: sql`(${sql.join(
          compiled.map(({ truth }) => truth),
          operator,
        )})`,
        nexts: compiled.flatMap(({ nexts }) => nexts),
        leaves: compiled.flatMap(({ leaves }) => leaves),
      };
    }
    const leaf = this.#leaf(definition);
    return { truth: leaf.truth, nexts: leaf.next ? [leaf.next] : [], leaves: [leaf] };
  }

  select(profileIds: readonly string[], columns: readonly Sql[]): Sql {
    const { storeId } = this.#place;
    // `limit 1` forces an index look-up for each, whatever the planner knows of the table.
    return sql`
      select p.id, ${sql.join(columns)}
      from unnest(${uuids(profileIds)}::uuid[]) as w (id)
      cross join lateral (
        select id, attributes, external_id, email, phone, anonymous_id, source_id, created_at
        from profile where store_id = ${storeId} and id = w.id limit 1
      ) p
      ${this.#events.from() ?? sql``}`;
  }

  #leaf(leaf: Leaf): CompiledLeaf {
    const { now } = this.#place;
    if ('did' in leaf) return this.#events.add(leaf.did);
    if ('events' in leaf) return this.#compared(leaf, this.#events.addValue(leaf.events));
    if ('occurrence' in leaf) return this.#events.addOccurrence(leaf.occurrence);
    if ('sequence' in leaf) return this.#events.addSequence(leaf.sequence);
    if ('property' in leaf || 'items' in leaf || 'from' in leaf) throw new TypeError('There is no event here');
    if ('item' in leaf) throw new TypeError('There is no item here');
    if ('attribute' in leaf) {
      return this.#compared(leaf, { value: valueAt(sql`p.attributes`, leaf.attribute), next: null });
    }
    if ('date' in leaf) {
      const attributes = sql`p.attributes`;
      const value = valueAt(attributes, leaf.date.attribute as Name);
      const { zones = [] } = this.#place;
      return { ...compileDate(value, leaf.date, { now, attributes, zones }), value: () => value };
    }
    if ('identifier' in leaf) return identifierLeaf(leaf);
    if ('profile' in leaf) {
      const span = spanAt(leaf.profile.window, now);
      return leaf.profile.time === 'created_at' ? timeLeaf(sql`p.created_at`, span) : this.#events.addLast(span);
    }
    if ('consent' in leaf) return this.#consent(leaf.consent);
    if ('share' in leaf) {
      const { truth, place } = compileShare(leaf.share, sql`p.id`);
      return { truth, next: null, value: () => sql`to_jsonb(${place})` };
    }
    return this.#membership(leaf);
  }

  /** `next`: when the value may become another one although nothing happens. */
  #compared(
    leaf: AttributeLeaf | EventsLeaf,
    { value, next }: Pick<CompiledLeaf, 'next'> & { value: Sql },
  ): CompiledLeaf {
    if (!leaf.value_of) return { truth: passes(value, leaf), next, value: () => value };
    const { attribute, did } = leaf.value_of;
    const other = did
      ? this.#events.addValue(did)
      : { value: valueAt(sql`p.attributes`, attribute as Name), next: null };
    const nexts = [next, other.next].filter((one) => one !== null);
    return {
      truth: passesOther(value, leaf, other.value),
      next: nexts.length === 0 ? null : leastOf(nexts),
      value: () => value,
    };
  }

  #membership(leaf: ListLeaf | SegmentLeaf): CompiledLeaf {
    const { storeId, now } = this.#place;
    const since =
      'list' in leaf
        ? sql`select joined_at from list_member where store_id = ${storeId} and list_id = ${leaf.list}::uuid
            and profile_id = p.id limit 1`
        : sql`
          select entered_at from segment_member
          where store_id = ${storeId} and segment_id = ${leaf.segment}::uuid
            and generation = (
              select generation from segment where store_id = ${storeId} and id = ${leaf.segment}::uuid limit 1)
            and profile_id = p.id
          limit 1`;
    if (leaf.joined !== undefined || leaf.for !== undefined) return timeLeaf(sql`(${since})`, spanOfJoined(leaf, now));
    // A subquery of a value is never turned into a join, which would read the whole list.
    const truth = sql`((${since}) is not null)`;
    return { truth, next: null, value: () => sql`to_jsonb(${truth})` };
  }

  #consent({ channel, status }: Extract<Leaf, { consent: unknown }>['consent']): CompiledLeaf {
    const column =
      status === 'suppressed' ? sql`case when suppressed_at is not null then 'suppressed' end` : sql`status`;
    const unset = status === 'suppressed' ? null : 'never';
    const found = sql`(
      select ${column} from consent
      where store_id = ${this.#place.storeId} and profile_id = p.id and channel = ${channel} limit 1)`;
    const value = sql`coalesce(${found}, ${unset}::text)`;
    return { truth: sql`coalesce(${value} = ${status}, false)`, next: null, value: () => sql`to_jsonb(${value})` };
  }
}

/** Addresses and numbers are stored in one spelling of several. */
function identifierLeaf({ identifier, op, value: wanted, ignore_case }: IdentifierLeaf): CompiledLeaf {
  const column = sql`${sql.ref(`p.${identifier}`)}`;
  const value = sql`to_jsonb(${column})`;
  const truth =
    op === 'exists' || op === 'not_exists'
      ? sql`(${column} is ${op === 'exists' ? sql`not null` : sql`null`})`
      : passesAny(value, { op, ...(ignore_case && { ignore_case }) }, spellingsToFind(identifier, op, wanted));
  return { truth, next: null, value: () => value };
}

function passesAny(value: Sql, how: Comparison, wanted: readonly Scalar[]): Sql {
  const { op } = how;
  const isAmong = () => passes(value, { ...how, op: 'in', value: wanted });
  if (op === 'neq' || op === 'not_in') return sql`(not ${isAmong()})`;
  if (op === 'eq' || op === 'in') return isAmong();
  return sql`(${sql.join(
    wanted.map((one) => passes(value, { ...how, value: one })),
    sql` or `,
  )})`;
}

function leastOf(moments: readonly Sql[]): Sql {
  return moments.length === 0 ? sql`null::timestamptz` : sql`least(${sql.join(moments)})`;
}

function millis(time: Sql): Sql {
  return sql`(extract(epoch from ${time}) * 1000)::float8`;
}
