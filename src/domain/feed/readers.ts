import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import {
  type PositionedChange,
  type ReadLimits,
  readChanges,
  readWantedChanges,
  type WantedEvents,
} from './changes.ts';
import { type ChangeKind, readEntries } from './entries.ts';
import { assignAllPositions, assignPositions, type FeedPosition } from './positions.ts';

/** Readers whose positions are kept in the database: each has its name in a store. */
export interface FeedReader<Kind extends ChangeKind> {
  storeId: string;
  name: string;
  kinds: readonly Kind[];
  /**
   * Returns what to read of these kinds; by default all. Called in the transaction when it is known up to where to read,
   * so that it sees all that was committed with the entries.
   */
  select?: (tx: Sql) => Promise<{ kinds: readonly Kind[]; events: WantedEvents }>;
}

export type ReaderName = Pick<FeedReader<ChangeKind>, 'storeId' | 'name'>;

/** What a reader is given to handle, in the transaction that moves its position. */
export interface Unread<Kind extends ChangeKind> {
  changes: PositionedChange<Kind>[];
  /** Whether entries before the first change were deleted unread, because the reader was away for too long. */
  hasGap: boolean;
}

/**
 * Adds a reader at the end of the feed as it is now, or where it was at a time in the last minutes, as far as its entries are
 * still kept. One of the same name stays where it is.
 */
export async function addFeedReader(db: Sql, { storeId, name }: ReaderName, since?: Date): Promise<void> {
  const head = await assignAllPositions(db, storeId);
  const kept = sql`select position from addition where store_id = ${storeId} and position is not null`;
  const from =
    since &&
    sql`
    (${kept} and added_at < ${since.toISOString()}::timestamptz order by position desc limit 1),
    (${kept} order by position limit 1) - 1,`;
  await sql`
    insert into feed_reader (store_id, name, entry, items, read_at)
    values (${storeId}, ${name}, coalesce(${from ?? sql``} ${head}::bigint), 0, now())
    on conflict do nothing`.execute(db);
}

/**
 * Removes a reader that has nothing to read any more, unless somebody is about to give it something: whoever does has the
 * reader locked `for key share` while they do, and adds it again where it is gone. `isUseless` is asked once nobody can.
 */
export async function removeFeedReader(
  tx: Sql,
  { storeId, name }: ReaderName,
  isUseless: () => Promise<boolean>,
): Promise<void> {
  const { rows } = await sql`
    select from feed_reader where store_id = ${storeId} and name = ${name} for update skip locked`.execute(tx);
  if (rows.length === 0 || !(await isUseless())) return;
  await sql`delete from feed_reader where store_id = ${storeId} and name = ${name}`.execute(tx);
}

/**
 * Works in a transaction whose changes the reader will read: from here on at the latest, so that it misses nothing that is
 * committed afterwards. It goes when nobody needs it any more, but not before this is committed; where it is gone it is
 * added again, as far back as `since` says. `lock` is called first.
 */
export async function withReader<Result>(
  db: Sql,
  reader: ReaderName,
  lock: (tx: Sql) => Promise<unknown>,
  work: (tx: Sql) => Promise<Result>,
  since?: (db: Sql) => Promise<Date | undefined>,
): Promise<Result> {
  for (;;) {
    const done = await db.transaction().execute(async (tx) => {
      await lock(tx);
      const { rows } = await sql`
        select from feed_reader where store_id = ${reader.storeId} and name = ${reader.name} for key share`.execute(tx);
      return rows.length > 0 ? { result: await work(tx) } : undefined;
    });
    if (done) return done.result;
    await addFeedReader(db, reader, await since?.(db));
  }
}

/** Returns which readers of some names a store has. */
export async function readersOf(db: Sql, storeId: string, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<Pick<ReaderName, 'name'>>`
    select name from feed_reader where store_id = ${storeId} and name = any(${texts(names)}::text[])`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Where a reader goes on: after what was deleted before it has read it, if there is a gap. And the end of the feed. */
export interface ReaderPlace {
  from: FeedPosition;
  head: number;
  hasGap: boolean;
}

/** Locks a reader for the transaction that moves it. Returns undefined if there is none, or another process has it. */
export async function lockReader(tx: Sql, { storeId, name }: ReaderName): Promise<ReaderPlace | undefined> {
  const { rows } = await sql<FeedPosition & { head: number; next: number | null }>`
    select r.entry::float8 as entry, r.items, h.position::float8 as head, ${nextUnread('position')}::float8 as next
    from feed_reader r join feed_head h on h.store_id = r.store_id
    where r.store_id = ${storeId} and r.name = ${name}
    for no key update of r skip locked`.execute(tx);
  const [reader] = rows;
  if (!reader) return undefined;
  const { entry, items, head, next } = reader;
  const hasGap = entry < head && next !== entry + 1;
  return { from: hasGap ? { entry: (next ?? head + 1) - 1, items: 0 } : { entry, items }, head, hasGap };
}

export async function moveReader(tx: Sql, { storeId, name }: ReaderName, reached: FeedPosition): Promise<void> {
  await sql`
    update feed_reader set entry = ${reached.entry}::bigint, items = ${reached.items}, read_at = now()
    where store_id = ${storeId} and name = ${name}`.execute(tx);
}

/** Returns how many of the changes it has handled, of one or more at least the first; undefined for all. */
export type Handle<Kind extends ChangeKind> = (tx: Sql, unread: Unread<Kind>) => Promise<number | undefined>;

/** Whether the position of a reader has moved: to the end of the feed, or to where more follows. */
export type Progress = false | 'end' | 'more';

/**
 * Hands a reader its next changes. What `handle` writes in the transaction is committed with the new position, so that
 * each change is handled once, whatever fails in between. The position has not moved if there is nothing new, or if another
 * process is reading for the same reader.
 */
export async function readNext<Kind extends ChangeKind>(
  db: Sql,
  { storeId, name, kinds, select }: FeedReader<Kind>,
  limits: ReadLimits,
  handle: Handle<Kind>,
): Promise<Progress> {
  await assignPositions(db, storeId);
  return await db.transaction().execute(async (tx): Promise<Progress> => {
    const place = await lockReader(tx, { storeId, name });
    if (!place || (place.from.entry >= place.head && !place.hasGap)) return false;
    const { from, head, hasGap } = place;
    const range = { from, to: head, kinds };
    const read = select
      ? await readWantedChanges(tx, storeId, { ...range, ...(await select(tx)) }, limits)
      : await readChanges(tx, storeId, range, limits);
    const { changes } = read;
    const handled = changes.length > 0 || hasGap ? await handle(tx, { changes, hasGap }) : undefined;
    const isAll = handled === undefined || handled === changes.length;
    const reached = isAll ? read.reached : (changes[handled - 1]?.position ?? from);
    await moveReader(tx, { storeId, name }, reached);
    return reached.entry < head ? 'more' : 'end';
  });
}

/**
 * Hands a reader its next events by their ids, like `readNext`, and removes it at the end of the feed if it is useless by then.
 * `onGap` is called first where entries were deleted unread. Returns whether more follows.
 */
export async function readNextEvents(
  db: Sql,
  reader: ReaderName,
  items: number,
  {
    handle,
    isUseless,
    onGap,
  }: {
    handle: (tx: Sql, ids: string[]) => Promise<void>;
    isUseless: (tx: Sql) => Promise<boolean>;
    onGap?: () => void;
  },
): Promise<boolean> {
  const { storeId } = reader;
  await assignPositions(db, storeId);
  return await db.transaction().execute(async (tx) => {
    const place = await lockReader(tx, reader);
    if (!place) return false;
    const { from, head, hasGap } = place;
    if (hasGap) onGap?.();
    let end = from;
    if (from.entry < head) {
      const read = await readEntries(tx, storeId, { from, to: head, kinds: ['event'] }, { items });
      end = read.end;
      await handle(
        tx,
        read.entries.flatMap(({ ids }) => ids),
      );
    }
    if (end.entry !== from.entry || end.items !== from.items || hasGap) await moveReader(tx, reader, end);
    if (end.entry < head) return true;
    await removeFeedReader(tx, reader, () => isUseless(tx));
    return false;
  });
}

/** Of the first entry with a position that a reader, the row `r` of its table, has not read whole. */
export function nextUnread(column: 'position' | 'added_at'): RawBuilder<unknown> {
  return sql`(
    select ${sql.ref(column)} from addition a
    where a.store_id = r.store_id and a.position > r.entry order by a.position limit 1
  )`;
}

/** When the oldest entry was written that such a reader has not read whole; null if there is none. */
export const OLDEST_UNREAD = sql`least(${nextUnread('added_at')}, (
  select added_at from addition a
  where a.store_id = r.store_id and a.position is null order by a.position, a.xid limit 1
))`;

/** Seconds that changes wait where many are read together, as nobody waits for them. */
const WAIT_S = 1;

/** Finds the stores of one part of the data in which there are changes for a reader of some names that have waited long enough. */
export async function storesWithUnread(db: Sql, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    select distinct r.store_id as "storeId" from feed_reader r
    cross join lateral (select ${OLDEST_UNREAD} as since offset 0) unread
    where r.name = any(${texts(names)}::text[]) and unread.since <= now() - make_interval(secs => ${WAIT_S})`.execute(
    db,
  );
  return rows.map(({ storeId }) => storeId);
}

/** Whether entries were deleted before such a reader has read them; `h` is the head of the feed. */
export const HAS_GAP = sql`(h.position > r.entry and ${nextUnread('position')} is distinct from r.entry + 1)`;

/**
 * The first entries that a reader has not read whole, with positions and without, so many of each; a subquery. Not a join,
 * which a planner with stale statistics may begin at the first entry.
 */
export function unreadEntries(
  { storeId, name }: ReaderName,
  columns: RawBuilder<unknown>,
  limit: number,
  condition = sql`true`,
): RawBuilder<unknown> {
  const ofStore = sql`select ${columns} from addition a where a.store_id = ${storeId} and ${condition}`;
  return sql`(
    (
      ${ofStore} and a.position > (
        select r.entry from feed_reader r where r.store_id = ${storeId} and r.name = ${name}
      )
      order by a.position
      limit ${sql.lit(limit)}
    )
    union all
    (${ofStore} and a.position is null order by a.position, a.xid limit ${sql.lit(limit)})
  )`;
}
