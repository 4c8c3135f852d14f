import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import { type PageRequest, timeCursor } from './cursor.ts';

/** Maximum events that one request looks through if no index finds those that match. */
const MAX_LOOKED_THROUGH = 2_000;
/** Maximum bytes, as they are sent, of the events of one step, except the last event: Postgres parses all of them. */
const MAX_BYTES_OF_STEP = 16 * 1024 * 1024;
/** Milliseconds after which no further step begins. */
const PATIENCE_MS = 300;

/** A matching event. */
export interface ScannedEvent {
  id: string;
  /** Milliseconds of Unix time. */
  occurred: number;
}

export interface BoundedScan {
  /** The events after a cursor: `from event …`, ordered by time and id. */
  inOrder(cursor: string | undefined): RawBuilder<unknown>;
  /** Whether an event matches. */
  fits: RawBuilder<unknown>;
  /** Maximum bytes that have to be parsed to decide that. */
  bytes: RawBuilder<unknown>;
  /** The order. */
  latestFirst: boolean;
}

/** Returns the matches among the next events; `next` is where to continue, even if none matched. */
export async function scanBounded(
  db: Sql,
  { limit, cursor }: PageRequest,
  search: BoundedScan,
): Promise<{ found: ScannedEvent[]; next: string | null }> {
  const until = performance.now() + PATIENCE_MS;
  const found: ScannedEvent[] = [];
  let [left, from] = [MAX_LOOKED_THROUGH, cursor];
  for (;;) {
    const step = await scanStep(db, search, from, left, limit - found.length);
    found.push(...step.found);
    left -= step.lookedAt;
    if (step.next === null || found.length === limit || left <= 0 || performance.now() > until) {
      return { found, next: step.next };
    }
    from = step.next;
  }
}

interface Step {
  found: ScannedEvent[];
  lookedAt: number;
  next: string | null;
}

/** The matches, one more than may be returned if there are more; and the last event that was looked at. */
type Row = ScannedEvent & { fits: boolean; lookedAt: number; candidates: number };

async function scanStep(
  db: Sql,
  { inOrder, fits, bytes, latestFirst }: BoundedScan,
  cursor: string | undefined,
  most: number,
  limit: number,
): Promise<Step> {
  const [onwards, back] = latestFirst ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  const { rows } = await sql<Row>`
    with looked_through as materialized (
      select id, occurred_at, candidates, coalesce(${fits}, false) as fits
      from (
        select *, count(*) over () as candidates,
          sum(bytes) over (rows between unbounded preceding and 1 preceding) as bytes_before
        from (select id, occurred_at, event_type, profile_id, properties, ${bytes} as bytes ${inOrder(cursor)} limit ${most}) as candidate
      ) as measured
      where coalesce(bytes_before, 0) < ${MAX_BYTES_OF_STEP}
    ), chosen as (
      (select * from looked_through where fits order by occurred_at ${onwards}, id ${onwards} limit ${limit + 1})
      union all
      (select id, occurred_at, candidates, false from looked_through order by occurred_at ${back}, id ${back} limit 1)
    )
    select id, (extract(epoch from occurred_at) * 1000)::float8 as occurred, fits, candidates::int,
      (select count(*) from looked_through)::int as "lookedAt"
    from chosen
    order by fits desc, occurred_at ${onwards}, chosen.id ${onwards}`.execute(db);
  const last = rows.at(-1);
  if (!last) return { found: [], lookedAt: 0, next: null };
  const { lookedAt, candidates } = last;
  const fitting = rows.filter((row) => row.fits);
  const found = fitting.slice(0, limit);
  const isThrough = lookedAt === candidates && candidates < most;
  const end = fitting.length > limit ? found.at(-1) : isThrough ? undefined : last;
  return { found, lookedAt, next: end ? rowCursor(end) : null };
}

export function rowCursor({ id, occurred }: ScannedEvent): string {
  return timeCursor({ at: new Date(occurred), id });
}
