import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import { EVENT_COLUMNS, type EventRow, MAX_EVENT_BYTES, toEvent } from '../event-row.ts';
import { LOWEST_ID } from '../id.ts';
import { type Candidate, candidates } from '../reading/cursor.ts';
import { type NamedRejection, REJECTION_COLUMNS, type RejectionRow, toRejection } from '../reading/rejections.ts';
import type { RecordedEvent } from '../write/draft.ts';
import type { Position } from './position.ts';

/** Something that was stored, and its place: after all of lower transactions, and after lower ids of its own. */
export type Added = { xid: string } & (
  | { kind: 'event'; event: RecordedEvent }
  | { kind: 'rejection'; rejection: NamedRejection }
);

interface Addition {
  kind: Added['kind'];
  xid: string;
  firstId: string;
  lastId: string;
}

/** Transactions that are looked at together. */
const MAX_TRANSACTIONS = 200;

export function idOf(added: Added): string {
  return added.kind === 'event' ? added.event.id : added.rejection.id;
}

/** What follows a position, as far as a later snapshot sees it: about `limit` things at most. */
export async function readAdditions(
  db: Sql,
  storeId: string,
  { seen, partly }: Position,
  snapshot: string,
  limit: number,
): Promise<{ added: Added[]; isComplete: boolean }> {
  const { rows } = await sql<Addition>`
    select kind, xid::text as xid, first_id as "firstId", last_id as "lastId" from addition
    where store_id = ${storeId} and addition.xid >= pg_snapshot_xmin(${seen}::pg_snapshot)
      and not pg_visible_in_snapshot(addition.xid, ${seen}::pg_snapshot)
      and pg_visible_in_snapshot(addition.xid, ${snapshot}::pg_snapshot)
      and addition.xid >= ${partly?.xid ?? '0'}::xid8
    order by addition.xid
    limit ${MAX_TRANSACTIONS}`.execute(db);
  const added: Added[] = [];
  for (const addition of rows) {
    const after = addition.xid === partly?.xid ? partly.id : LOWEST_ID;
    const read = addition.kind === 'event' ? readEvents : readRejections;
    const { items, isComplete } = await read(db, storeId, addition, after, limit - added.length);
    added.push(...items);
    if (!isComplete || added.length >= limit) return { added, isComplete: isComplete && addition === rows.at(-1) };
  }
  return { added, isComplete: rows.length < MAX_TRANSACTIONS };
}

interface Part {
  items: Added[];
  isComplete: boolean;
}

/** The events of one transaction, in the order of their ids. */
async function readEvents(db: Sql, storeId: string, addition: Addition, after: string, limit: number): Promise<Part> {
  const { xid, firstId, lastId } = addition;
  const query = sql`
    select * from event
    where store_id = ${storeId} and id between ${firstId} and ${lastId} and id > ${after}
      and xmin = ${xid}::xid8::xid
    order by id`;
  const { rows } = await sql<Candidate<EventRow>>`
    select ${EVENT_COLUMNS}, candidates from ${candidates(query, limit, MAX_EVENT_BYTES)} e order by e.id`.execute(db);
  const shown = rows.slice(0, limit);
  return {
    items: shown.map((row) => ({ xid, kind: 'event', event: toEvent(row) })),
    isComplete: shown.length === (rows[0]?.candidates ?? 0),
  };
}

/** The same for refused requests. */
async function readRejections(
  db: Sql,
  storeId: string,
  addition: Addition,
  after: string,
  limit: number,
): Promise<Part> {
  const { xid, firstId, lastId } = addition;
  const { rows } = await sql<RejectionRow>`
    select ${REJECTION_COLUMNS}
    from rejection r join api_key k on k.id = r.key_id
    where r.store_id = ${storeId} and r.id between ${firstId} and ${lastId} and r.id > ${after}
      and r.xmin = ${xid}::xid8::xid
    order by r.id
    limit ${limit + 1}`.execute(db);
  const items = rows.slice(0, limit).map((row): Added => ({ xid, kind: 'rejection', rejection: toRejection(row) }));
  return { items, isComplete: rows.length <= limit };
}

/** Forgets what was added so long ago that nobody may resume from there. */
export async function forgetAdditions(db: Sql, olderThanMs: number): Promise<void> {
  await sql`delete from addition where added_at < ${new Date(Date.now() - olderThanMs)}`.execute(db);
}
