import { type RawBuilder, sql } from 'kysely';
import { integers, texts } from '../../db/binary-arrays.ts';
import { isTimeout } from '../../db/driver-errors.ts';
import { limitStatements } from '../../db/limit-statements.ts';
import type { Sql } from '../../db/orm.ts';
import { NOBODY } from '../../ids/nobody.ts';
import { decode, encode, notACursor, type Page, type PageRequest, toPage } from '../reading/cursor.ts';
import { QUARTERS, quarterOfDay, topTypes } from '../reading/day-counts.ts';

/** When a range of whole quarters of an hour begins, and when it ends. */
export interface Span {
  from: Date;
  to: Date;
}

export interface EventTypeSummary {
  eventType: string;
  events: number;
  /** Null where there are too many events to look at. */
  profiles: number | null;
  /** Null if there is no event of the type any more. */
  lastSeen: Date | null;
}

/** Events up to which their customers are counted. */
const MAX_LOOKED_AT = 200_000;
/** Milliseconds that this may take. */
const MAX_MS = 1_000;

type Row = Pick<EventTypeSummary, 'eventType' | 'events'> & { candidates?: never };

/**
 * Returns the types of events in a range, by name. Throws `validation_error` if the range has too many days and types to count.
 */
export async function findEventTypes(
  db: Sql,
  storeId: string,
  span: Span,
  { limit, cursor }: PageRequest,
): Promise<Page<EventTypeSummary>> {
  const after = cursor === undefined ? '' : readCursor(cursor);
  const [first, last] = [quarterOfDay(span.from), quarterOfDay(span.to)];
  const days = { storeId, firstDay: first.day, lastDay: last.day };
  await topTypes(db, { ...days, boundaries: [span.from, span.to] }, 2);
  const day = (number: number) => sql`date 'epoch' + ${number}::int`;
  const { rows } = await sql<Row>`
    select event_type as "eventType", sum(events)::float8 as events
    from (
      select event_type,
        case when day = ${day(last.day)} then coalesce(running[${last.quarter}::int], 0) else running[${QUARTERS}::int] end
        - case when day = ${day(first.day)} then coalesce(running[${first.quarter}::int], 0) else 0 end as events
      from event_day
      where store_id = ${storeId} and day between ${day(first.day)} and ${day(last.day)} and event_type > ${after}
      union all
      select event_type, count
      from event_count_new
      where store_id = ${storeId} and start >= ${span.from} and start < ${span.to} and event_type > ${after}
    ) as counted
    group by event_type
    having sum(events) > 0
    order by event_type
    limit ${limit + 1}`.execute(db);
  const { items, next } = toPage(
    rows,
    limit,
    (row) => row,
    ({ eventType }) => encode(eventType),
  );
  const seen = await lookAt(db, storeId, span, items);
  return { items: items.map((item, n) => ({ ...item, ...(seen[n] as Seen) })), next };
}

type Seen = Pick<EventTypeSummary, 'profiles' | 'lastSeen'>;

/** Returns, of types with the numbers of their events, how many customers these have, and when the latest one happened. */
export async function lookAt(
  db: Sql,
  storeId: string,
  { from, to }: Span,
  types: readonly Pick<EventTypeSummary, 'eventType' | 'events'>[],
): Promise<Seen[]> {
  let left = MAX_LOOKED_AT;
  const isLookedAt = new Map<string, boolean>();
  for (const { eventType, events } of [...types].sort((a, b) => a.events - b.events)) {
    left -= events;
    isLookedAt.set(eventType, left >= 0);
  }
  const names = types.map(({ eventType }) => eventType);
  const read = async (tx: Sql, isCounted: readonly boolean[], profiles: RawBuilder<unknown>) => {
    const { rows } = await sql<{ profiles: number | null; last: number | null }>`
      select case when is_counted = 1 then ${profiles} end as profiles,
        (
          select (extract(epoch from occurred_at) * 1000)::float8 from event
          where store_id = ${storeId} and event_type = type order by occurred_at desc, id desc limit 1
        ) as last
      from unnest(${texts(names)}::text[], ${integers(isCounted.map(Number))}::int[]) with ordinality as t (type, is_counted, place)
      order by place`.execute(tx);
    return rows.map(({ profiles, last }) => ({ profiles, lastSeen: last === null ? null : new Date(last) }));
  };
  try {
    const profiles = sql`(
      select count(distinct profile_id)::int from event
      where store_id = ${storeId} and event_type = type and occurred_at >= ${from} and occurred_at < ${to}
        and profile_id <> ${NOBODY}::uuid
    )`;
    return await db.transaction().execute(async (tx) => {
      await limitStatements(tx, MAX_MS);
      return read(
        tx,
        names.map((name) => isLookedAt.get(name) === true),
        profiles,
      );
    });
  } catch (error) {
    // As slow as a disk can be that has not been asked for them lately.
    if (!isTimeout(error)) throw error;
    return read(
      db,
      names.map(() => false),
      sql`null::int`,
    );
  }
}

function readCursor(cursor: string): string {
  const type = decode(cursor);
  if (type === undefined || type === '') throw notACursor();
  return type;
}
