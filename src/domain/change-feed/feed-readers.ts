import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import { type ChangeKind, type FeedRange, type PositionedChange, type ReadLimits, readChanges } from './changes.ts';
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
  select?: (tx: Sql) => Promise<Pick<FeedRange<Kind>, 'kinds' | 'eventTypes'>>;
  /** Says how much work a change is, for `ReaderLimits`. */
  weigh?: (change: PositionedChange<Kind>) => number;
}

export interface ReaderLimits extends ReadLimits {
  /** Of the changes together; the first one is handed over whatever its weight. */
  weight?: number;
}

export type ReaderName = Pick<FeedReader<ChangeKind>, 'storeId' | 'name'>;

/** What a reader is given to handle, in the transaction that moves its position. */
export interface Unread<Kind extends ChangeKind> {
  changes: PositionedChange<Kind>[];
  /** Whether entries before the first change were deleted unread, because the reader was away for too long. */
  hasGap: boolean;
}

/** Adds a reader at the end of the feed as it is now. One of the same name stays where it is. */
export async function addFeedReader(db: Sql, { storeId, name }: ReaderName): Promise<void> {
  const head = await assignAllPositions(db, storeId);
  await sql`
    insert into feed_reader (store_id, name, entry, items, read_at)
    values (${storeId}, ${name}, ${head}::bigint, 0, now())
    on conflict do nothing`.execute(db);
}

export async function removeFeedReader(db: Sql, { storeId, name }: ReaderName): Promise<void> {
  await sql`delete from feed_reader where store_id = ${storeId} and name = ${name}`.execute(db);
}

/** Whether the position of a reader has moved: to the end of the feed, or to where more follows. */
export type Progress = false | 'end' | 'more';

/**
 * Hands a reader its next changes. What `handle` writes in the transaction is committed with the new position, so that
 * each change is handled once, whatever fails in between. The position has not moved if there is nothing new, or if another
 * process is reading for the same reader.
 */
export async function readNext<Kind extends ChangeKind>(
  db: Sql,
  { storeId, name, kinds, select, weigh }: FeedReader<Kind>,
  limits: ReaderLimits,
  handle: (tx: Sql, unread: Unread<Kind>) => Promise<void>,
): Promise<Progress> {
  await assignPositions(db, storeId);
  return await db.transaction().execute(async (tx): Promise<Progress> => {
    const { rows } = await sql<FeedPosition & { head: number; next: number | null }>`
      select r.entry::float8 as entry, r.items, h.position::float8 as head,
        (
          select position::float8 from addition a
          where a.store_id = r.store_id and a.position > r.entry order by position limit 1
        ) as next
      from feed_reader r join feed_head h on h.store_id = r.store_id
      where r.store_id = ${storeId} and r.name = ${name}
      for update of r skip locked`.execute(tx);
    const [reader] = rows;
    if (!reader || reader.entry >= reader.head) return false;
    const { entry, items, head, next } = reader;
    const hasGap = next !== entry + 1;
    const from = hasGap ? { entry: (next ?? head + 1) - 1, items: 0 } : { entry, items };
    const range = { from, to: head, kinds, ...(await select?.(tx)) };
    const read = await readChanges(tx, storeId, range, limits);
    const changes = weigh ? upToWeight(read.changes, weigh, limits.weight) : read.changes;
    const reached = changes.length < read.changes.length ? (changes.at(-1)?.position ?? from) : read.reached;
    if (changes.length > 0 || hasGap) await handle(tx, { changes, hasGap });
    await sql`
      update feed_reader set entry = ${reached.entry}::bigint, items = ${reached.items}, read_at = now()
      where store_id = ${storeId} and name = ${name}`.execute(tx);
    return reached.entry < head ? 'more' : 'end';
  });
}

/** Returns the first changes, as many as are not too much work together. */
function upToWeight<Kind extends ChangeKind>(
  changes: PositionedChange<Kind>[],
  weigh: (change: PositionedChange<Kind>) => number,
  limit = Number.POSITIVE_INFINITY,
): PositionedChange<Kind>[] {
  let weight = 0;
  const end = changes.findIndex((change, i) => {
    weight += weigh(change);
    return i > 0 && weight > limit;
  });
  return end < 0 ? changes : changes.slice(0, end);
}
