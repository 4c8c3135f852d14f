import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { rowsById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { MAX_HISTORY } from '../../conditions/history.ts';
import type { CustomerEvent } from '../../conditions/subject.ts';
import { EVENT_COLUMNS, type EventRow, eventBytes, eventFromRow, MAX_EVENT_BYTES } from '../../event.ts';
import { type Candidate, candidates } from '../../reading/cursor.ts';
import { toCustomerEvent } from '../stored/customer-event.ts';
import { EventScan, scanOn } from '../stored/event-scan.ts';

export interface CustomerHistory {
  events: CustomerEvent[];
  /** Whether there may be earlier ones that were not read. */
  isCut: boolean;
}

/** Events that one statement reads, and bytes of them. */
const [MAX_READ, MAX_READ_BYTES] = [500, 16 * 1024 * 1024];
/** Bytes of all. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Milliseconds after which no further events are read. */
const PATIENCE_MS = 1_000;

/**
 * Returns a customer's latest events of some types, as many as an automation would look at and no more than fit into
 * memory.
 */
export async function readHistory(
  db: Sql,
  storeId: string,
  profileId: string,
  types: readonly string[],
): Promise<CustomerHistory> {
  const until = performance.now() + PATIENCE_MS;
  const wanted = { profileId, types, from: null, to: null, fromClient: true };
  const scan = new EventScan(wanted, 'last', MAX_HISTORY);
  const ids: string[] = [];
  const take = async () => void ids.push(...scan.fresh);
  await scanOn(db, storeId, [{ scan }], take, () => performance.now() > until);
  const events: CustomerEvent[] = [];
  let [bytes, next] = [0, 0];
  while (next < ids.length && bytes < MAX_BYTES && performance.now() < until) {
    const rows = await readSome(db, storeId, ids.slice(next, next + MAX_READ));
    for (const event of rows.map(eventFromRow)) {
      bytes += eventBytes(event);
      events.push(toCustomerEvent(event));
    }
    const last = rows.at(-1);
    // What was deleted meanwhile is passed over.
    next = last && rows[0]?.candidates !== rows.length ? ids.indexOf(last.id) + 1 : next + MAX_READ;
    await nextTurn();
  }
  return { events, isCut: next < ids.length || !scan.isAtEnd };
}

async function readSome(db: Sql, storeId: string, ids: readonly string[]): Promise<Candidate<EventRow>[]> {
  const inOrder = sql`
    select e.*
    from ${rowsById('event', storeId, ids)} e
    order by e.n`;
  const { rows } = await sql<Candidate<EventRow>>`
    select ${EVENT_COLUMNS}, candidates from ${candidates(inOrder, ids.length, MAX_EVENT_BYTES, MAX_READ_BYTES)} e
    order by e.n`.execute(db);
  return rows;
}
