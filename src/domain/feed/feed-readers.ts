import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import { type ChangeKind, type PositionedChange, type ReadLimits, readChanges } from './changes.ts';
import { assignAllPositions, assignPositions, type FeedPosition } from './positions.ts';
import { readWantedChanges, type WantedEvents } from './wanted-changes.ts';

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

/** Adds a reader at the end of the feed as it is now. One of the same name stays where it is. */
export async function addFeedReader(db: Sql, { storeId, name }: ReaderName): Promise<void> {
  const head = await assignAllPositions(db, storeId);
  await sql`
    insert into feed_reader (store_id, name, entry, items, read_at)
    values (${storeId}, ${name}, ${head}::bigint, 0, now())
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
    const { rows } = await sql<FeedPosition & { head: number; next: number | null }>`
      select r.entry::float8 as entry, r.items, h.position::float8 as head,
        (
          select position::float8 from addition a
          where a.store_id = r.store_id and a.position > r.entry order by position limit 1
        ) as next
      from feed_reader r join feed_head h on h.store_id = r.store_id
      where r.store_id = ${storeId} and r.name = ${name}
      for no key update of r skip locked`.execute(tx);
    const [reader] = rows;
    if (!reader || reader.entry >= reader.head) return false;
    const { entry, items, head, next } = reader;
    const hasGap = next !== entry + 1;
    const from = hasGap ? { entry: (next ?? head + 1) - 1, items: 0 } : { entry, items };
    const range = { from, to: head, kinds };
    const read = select
      ? await readWantedChanges(tx, storeId, { ...range, ...(await select(tx)) }, limits)
      : await readChanges(tx, storeId, range, limits);
    const { changes } = read;
    const handled = changes.length > 0 || hasGap ? await handle(tx, { changes, hasGap }) : undefined;
    const isAll = handled === undefined || handled === changes.length;
    const reached = isAll ? read.reached : (changes[handled - 1]?.position ?? from);
    await sql`
      update feed_reader set entry = ${reached.entry}::bigint, items = ${reached.items}, read_at = now()
      where store_id = ${storeId} and name = ${name}`.execute(tx);
    return reached.entry < head ? 'more' : 'end';
  });
}
