import { type RawBuilder, sql } from 'kysely';
import { isTimeout } from '../../db/driver-errors.ts';
import { maxJsonBytes } from '../../db/json-size.ts';
import { limitStatements } from '../../db/limit-statements.ts';
import type { Sql } from '../../db/orm.ts';
import { NOBODY } from '../../ids/nobody.ts';
import type { Caller } from '../caller.ts';
import { candidates } from '../reading/cursor.ts';
import { countByInterval } from '../reading/event-stats.ts';
import { boundariesOf } from '../reading/intervals.ts';
import { lookAt, type Span } from './event-types.ts';

/** The latest events whose properties are looked at, at most; the second is for where the first takes too long. */
const [MAX_EVENTS, FEW_EVENTS] = [10_000, 1_000];
/** Bytes of their properties. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Milliseconds that a statement may take. */
const MAX_MS = 2_000;
/** Properties of one event that are looked at, and those that are returned. */
const MAX_PROPERTIES = 100;
/** Customers who have to share a value. */
const MIN_SHARING = 5;
const MAX_VALUES = 10;
const MAX_VALUE_LENGTH = 200;
const MAX_TOP_PROFILES = 10;

/** Which events a report is about, and the property whose numbers it adds up. */
export interface EventTypeQuestion extends Span {
  eventType: string;
  timeZone: string;
  /** `2026-11-20`, the first day, and the last one. */
  first: string;
  last: string;
  property: string | undefined;
}

export interface EventTypeReport {
  events: number;
  /** Null where there are too many events to look at. */
  profiles: number | null;
  lastSeen: Date | null;
  days: { date: string; events: number }[];
  sample: {
    events: number;
    from: Date | null;
    isComplete: boolean;
    /** Events in which the property is a number, and the sum of these: a decimal number as text. */
    measured: number;
    sum: string;
  };
  properties: PropertyReport[];
  topProfiles: { profile_id: string; event_count: number; sum: string | null }[];
}

interface PropertyReport {
  name: string;
  share: number;
  types: string[];
  values: { value: string; event_count: number; profile_count: number; sum: string | null }[];
}

/** Returns undefined if the store has no event of the type. */
export async function reportEventType(
  db: Sql,
  caller: Caller,
  question: EventTypeQuestion,
): Promise<EventTypeReport | undefined> {
  const { eventType, timeZone, from, to } = question;
  const [series] = await countByInterval(db, caller, boundariesOf('day', timeZone, from, to), eventType);
  const counted = { eventType, events: series?.total ?? 0 };
  const [seen] = await lookAt(db, caller.storeId, question, [counted]);
  if (counted.events === 0 && seen?.lastSeen === null) return undefined;
  // Not by hours: a time zone may have left a date out.
  const first = Temporal.PlainDate.from(question.first);
  const days = first.until(question.last).days + 1;
  const dateOf = (n: number) => first.add({ days: n }).toString();
  return {
    events: counted.events,
    profiles: seen?.profiles ?? null,
    lastSeen: seen?.lastSeen ?? null,
    days: Array.from({ length: days }, (_, n) => ({ date: dateOf(n), events: series?.counts[n] ?? 0 })),
    ...(await sampleOf(db, caller.storeId, question)),
  };
}

interface Row {
  events: number;
  candidates: number;
  from: number | null;
  measured: number;
  sum: string;
  properties: PropertyReport[];
  topProfiles: EventTypeReport['topProfiles'];
}

type Sample = Pick<EventTypeReport, 'sample' | 'properties' | 'topProfiles'>;

async function sampleOf(db: Sql, storeId: string, question: EventTypeQuestion): Promise<Sample> {
  const read = (most: number) =>
    db.transaction().execute(async (tx) => {
      await limitStatements(tx, MAX_MS);
      return readSample(tx, storeId, question, most);
    });
  try {
    return await read(MAX_EVENTS);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return read(FEW_EVENTS);
  }
}

async function readSample(
  tx: Sql,
  storeId: string,
  { eventType, from, to, property }: EventTypeQuestion,
  most: number,
): Promise<Sample> {
  const latest = sql`
    select profile_id, occurred_at, id, properties from event
    where store_id = ${storeId} and event_type = ${eventType} and occurred_at >= ${from} and occurred_at < ${to}
    order by occurred_at desc, id desc`;
  const sum = (amounts: RawBuilder<unknown>) =>
    property === undefined ? sql`null::text` : sql`coalesce(sum(${amounts}), 0)::text`;
  const { rows } = await sql<Row>`
    with latest as materialized (
      select profile_id, occurred_at, properties, candidates, ${numberOf(property)} as amount
      from ${candidates(latest, most, maxJsonBytes('properties'), MAX_BYTES)} as fitting
      order by occurred_at desc, id desc
      limit ${most}
    ), counted as materialized (
      select key, type, value, profile_id, count(*) as events, sum(amount) as amount
      from latest
      cross join lateral (
        select key collate "C" as key, json_typeof(value) as type,
          case when json_typeof(value) in ('string', 'number', 'boolean') and length(value #>> '{}') <= ${MAX_VALUE_LENGTH}
            then (value #>> '{}') collate "C" end as value
        from json_each(case json_typeof(properties) when 'object' then properties end)
        limit ${MAX_PROPERTIES}
      ) as pair
      group by key, type, value, profile_id
    ), of_types as (
      select key, type, sum(events) as events from counted group by key, type
    ), names as (
      select key, sum(events) as events, array_agg(type order by type) as types
      from of_types group by key order by events desc, key limit ${MAX_PROPERTIES}
    ), ranked as (
      select key, value, sum(events) as events, count(*) as profiles, ${sum(sql`amount`)} as sum,
        row_number() over (partition by key order by sum(events) desc, value) as place
      from counted
      where value is not null
      group by key, type, value
      having count(*) >= ${MIN_SHARING}
    ), listed as (
      select key, json_agg(json_build_object(
        'value', value, 'event_count', events, 'profile_count', profiles, 'sum', sum) order by place) as found
      from ranked where place <= ${MAX_VALUES} group by key
    ), top as (
      select profile_id, count(*) as events, ${sum(sql`amount`)} as sum
      from latest
      where profile_id <> ${NOBODY}::uuid
      group by profile_id
      order by coalesce(sum(amount), 0) desc, events desc, profile_id
      limit ${MAX_TOP_PROFILES}
    )
    select count(*)::int as events, coalesce(max(candidates), 0)::int as candidates,
      (extract(epoch from min(occurred_at)) * 1000)::float8 as from,
      count(amount)::int as measured, coalesce(sum(amount), 0)::text as sum,
      coalesce((
        select json_agg(json_build_object(
          'name', key, 'share', least(1, names.events::float8 / (select count(*) from latest)), 'types', types,
          'values', coalesce(found, '[]'::json)) order by names.events desc, key)
        from names left join listed using (key)
      ), '[]'::json) as properties,
      coalesce((
        select json_agg(json_build_object('profile_id', profile_id, 'event_count', events, 'sum', sum)
          order by coalesce(sum::numeric, 0) desc, events desc, profile_id)
        from top
      ), '[]'::json) as "topProfiles"
    from latest`.execute(tx);
  const [row] = rows as [Row];
  const sample = {
    events: row.events,
    from: row.from === null ? null : new Date(row.from),
    isComplete: row.candidates <= row.events,
    measured: row.measured,
    sum: row.sum,
  };
  return { sample, properties: row.properties, topProfiles: row.topProfiles };
}

/** Not of numbers with an exponent: `1e131071` would take a hundred thousand digits. */
function numberOf(property: string | undefined): RawBuilder<unknown> {
  if (property === undefined) return sql`null::numeric`;
  const value = sql`properties ->> ${property}`;
  return sql`case when ${value} ~ '^-?[0-9]{1,18}([.][0-9]{1,18})?$' then (${value})::numeric end`;
}
