/**
 * Somebody with many events is not looked at again at once: the more there are to read, the later. What happens meanwhile
 * is noted, so that no segment claims to have followed it.
 */
import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { OutOfTime } from '../evaluate.ts';
import type { BatchSize } from './batch-size.ts';
import { type Followed, follow, noteFollowed } from './follow.ts';
import { withSegments } from './lock.ts';
import type { Dirty, DirtyProfiles } from './origin.ts';
import { type KeptSegment, loadSegments } from './segments.ts';
import type { SegmentTools, TransactionTools } from './tools.ts';

/** What is noted of a customer in detail at the most. */
const MAX_NOTED = 100;
/** Customers of one transaction, and events of theirs after which no further one is taken. */
export const MAX_PROFILES = 1_000;
const MAX_EVENTS = 500_000;

/**
 * Has those wait who had many events when they were looked at last, and returns the others. `since`: a time before all
 * that has happened was committed, in milliseconds.
 */
export async function postpone(tx: Sql, storeId: string, dirty: DirtyProfiles, since: number): Promise<DirtyProfiles> {
  const { rows } = await sql<{ id: string; since: number | null; happened: RawJson | null }>`
    select profile_id as id, (extract(epoch from since) * 1000)::float8 as since, happened from segment_postponed
    where store_id = ${storeId} and profile_id = any(${uuids([...dirty.keys()])}::uuid[])`.execute(tx);
  if (rows.length === 0) return dirty;
  const noted = rows.flatMap(({ id, since: before, happened }) => {
    const all = JSON.stringify(summed([...toDirty(happened), ...(dirty.get(id) ?? [])]));
    return before !== null && before <= since && all === happened?.text ? [] : [{ id, happened: all }];
  });
  if (noted.length > 0) {
    await sql`
      update segment_postponed p
      set since = least(since, ${new Date(since).toISOString()}::timestamptz), happened = w.happened::json
      from unnest(${uuids(noted.map(({ id }) => id))}::uuid[], ${texts(noted.map((one) => one.happened))}::text[])
        as w (id, happened)
      where p.store_id = ${storeId} and p.profile_id = w.id`.execute(tx);
  }
  const large = new Set(rows.map(({ id }) => id));
  return new Map([...dirty].filter(([id]) => !large.has(id)));
}

/**
 * Has customers wait until they are looked at some at a time: they were too many for one transaction. None of them waits
 * already. `since`: as for `postpone`.
 */
async function postponeAll(
  tx: Sql,
  storeId: string,
  dirty: DirtyProfiles,
  { since, now }: { since: number; now: number },
): Promise<Followed> {
  const all = [...dirty].map(([id, reasons]) => ({ id, happened: JSON.stringify(summed(reasons)) }));
  await sql`
    insert into segment_postponed (store_id, profile_id, events, not_before, since, happened)
    select ${storeId}::uuid, id, 0, ${new Date(now).toISOString()}::timestamptz,
      ${new Date(since).toISOString()}::timestamptz, happened::json
    from unnest(${uuids(all.map(({ id }) => id))}::uuid[], ${texts(all.map((one) => one.happened))}::text[])
      as w (id, happened)`.execute(tx);
  return { appointments: new Map(), events: new Map(), work: { evaluated: 0, moves: {} } };
}

/** Follows what has happened to customers, or has it wait. */
export type Following = (
  tx: Sql,
  storeId: string,
  segments: readonly KeptSegment[],
  dirty: DirtyProfiles,
  tools: TransactionTools & { since: number },
) => Promise<Followed>;

/**
 * Does some work in a transaction that follows what has happened; where that is too much for one, once more, and then it
 * waits, as customers of many events do.
 */
export async function followOrPostpone<Result>(work: (following: Following) => Promise<Result>): Promise<Result> {
  try {
    return await work(follow);
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return await work((tx, storeId, _, dirty, { since, now }) =>
      postponeAll(tx, storeId, dirty, { since, now: now() }),
    );
  }
}

/** Looks at those who have waited for long enough. Returns whether there are more. `batch`: how many at a time. */
export async function takePostponed(
  db: Sql,
  storeId: string,
  shared: SegmentTools,
  batch: BatchSize,
): Promise<boolean> {
  try {
    const taken = await withSegments(db, storeId, shared, (tx, tools) => takeSome(tx, storeId, tools, batch.size));
    batch.widen();
    if (taken) shared.work.add(taken.work);
    return taken?.isMore ?? false;
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    batch.narrow(error.customers);
    return true;
  }
}

async function takeSome(tx: Sql, storeId: string, tools: TransactionTools, limit: number) {
  const { rows: all } = await sql<{ id: string; events: number; happened: RawJson }>`
    select profile_id as id, events, happened from segment_postponed
    where store_id = ${storeId} and since is not null
      and not_before <= ${new Date(tools.now()).toISOString()}::timestamptz
    order by not_before
    limit ${limit}`.execute(tx);
  if (all.length === 0) return undefined;
  const rows = thatFit(all);
  const segments = await loadSegments(tx, storeId, tools.generations);
  const dirty = new Map(rows.map(({ id, happened }) => [id, toDirty(happened)]));
  const followed = await follow(tx, storeId, segments, dirty, tools);
  // Only afterwards: a segment that fails says since when nobody was looked at.
  await sql`
    delete from segment_postponed
    where store_id = ${storeId} and profile_id = any(${uuids([...dirty.keys()])}::uuid[])`.execute(tx);
  await noteFollowed(tx, storeId, followed, tools.now());
  return { isMore: rows.length < all.length || all.length === limit, work: followed.work };
}

/** Returns the first ones that can be looked at together: one at least, however many events there are. */
function thatFit<Row extends { events: number }>(rows: readonly Row[]): readonly Row[] {
  let events = 0;
  const end = rows.findIndex((row) => {
    const isFull = events > MAX_EVENTS;
    events += row.events;
    return isFull;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

function toDirty(happened: RawJson | null): Dirty[] {
  return happened?.parse<Dirty[]>() ?? [];
}

/** Without repeats; without the types of events, the lists and the chains where these are many. */
function summed(all: readonly Dirty[]): Dirty[] {
  const distinct = distinctOf(all);
  if (distinct.length <= MAX_NOTED) return distinct;
  return distinctOf(
    distinct.map(({ chain: _, ...one }) => {
      if (one.what === 'event') return { ...one, type: null };
      return one.what === 'list' ? { ...one, listId: null } : one;
    }),
  );
}

function distinctOf(all: readonly Dirty[]): Dirty[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
