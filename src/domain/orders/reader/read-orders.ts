import type { Sql } from '../../../db/sql.ts';
import { readEntries } from '../../feed/entries.ts';
import { assignPositions } from '../../feed/positions.ts';
import { lockReader, moveReader } from '../../feed/readers.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { readNotes } from '../read-notes.ts';
import { pathsOf, typesOf } from '../rule.ts';
import { build, buildAgain } from './build.ts';
import { READER } from './find-unread.ts';
import { lockBuild } from './lock-build.ts';
import { writeNotes } from './write-notes.ts';

/** Events that one transaction looks at. */
const MAX_ITEMS = 4_000;

/**
 * Reads a store's next events, at first those that were there before: makes orders and sums of them in the transaction that
 * moves the place in the feed, so that each counts once, whatever fails in between. Returns whether more follows.
 */
export async function readOrders(db: Sql, storeId: string): Promise<boolean> {
  await assignPositions(db, storeId);
  return await retryConflicts(db, () => db.transaction().execute((tx) => readSome(tx, storeId)));
}

async function readSome(tx: Sql, storeId: string): Promise<boolean> {
  const reader = { storeId, name: READER };
  const place = await lockReader(tx, reader);
  if (!place) return false;
  const at = await lockBuild(tx, storeId);
  const { from, head, hasGap } = place;
  if (hasGap) {
    // What nobody has read for a week is still among the events.
    if (at.stage !== 'forgetting') await buildAgain(tx, storeId);
    await moveReader(tx, reader, { entry: head, items: 0 });
    return true;
  }
  if (at.stage !== 'ready') {
    await build(tx, storeId, at);
    return true;
  }
  if (from.entry >= head) return false;
  const { entries, end } = await readEntries(tx, storeId, { from, to: head, kinds: ['event'] }, { items: MAX_ITEMS });
  const ids = entries.flatMap((entry) => entry.ids);
  const notes = await readNotes(tx, storeId, ids, typesOf(at), {
    paths: pathsOf(at),
    withHistory: true,
    ofStore: true,
  });
  await writeNotes(tx, storeId, notes, at);
  await moveReader(tx, reader, end);
  return end.entry < head;
}
