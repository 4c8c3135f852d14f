import { sql } from 'kysely';
import type { AdditionRecord } from '../../db/entities/addition.ts';
import type { Sql } from '../../db/orm.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import {
  EVENT_COLUMNS,
  type EventRow,
  eventBytes,
  eventFromRow,
  MAX_EVENT_BYTES,
  type RecordedEvent,
} from '../event.ts';
import { type Candidate, candidates } from '../reading/cursor.ts';
import { type NamedRejection, REJECTION_COLUMNS, type RejectionRow, rejectionFromRow } from '../reading/rejections.ts';
import type { ResumeToken } from './resume-token.ts';

/** A stored change. Changes are ordered by transaction, then by id. */
export type Change = { xid: string } & (
  | { kind: 'event'; event: RecordedEvent }
  | { kind: 'rejection'; rejection: NamedRejection }
);

type CommittedTransaction = Pick<AdditionRecord, 'kind' | 'xid' | 'firstId' | 'lastId'>;

/** Limits of one read. */
export interface ReadLimits {
  items: number;
  /** Of free-form data; the first item is read whatever its size. */
  bytes: number;
  /** After which no further query begins. */
  milliseconds: number;
}

/** The position of the last change that was read. */
export interface ChangeRef {
  xid: string;
  id: string;
}

/** Transactions that one query looks up. */
const MAX_TRANSACTIONS = 200;

export function changeId(change: Change): string {
  return change.kind === 'event' ? change.event.id : change.rejection.id;
}

/**
 * Returns the changes after a token that a later snapshot sees, and the position reached; undefined if all were read.
 */
export async function readChanges(
  db: Sql,
  storeId: string,
  token: ResumeToken,
  snapshot: string,
  limits: ReadLimits,
): Promise<{ changes: Change[]; reached: ChangeRef | undefined }> {
  const start = performance.now();
  const transactions = await findTransactions(db, storeId, token, snapshot);
  const last = transactions.at(-1);
  const changes: Change[] = [];
  let bytes = 0;
  const isFull = () => changes.length >= limits.items || bytes >= limits.bytes;
  for (const transaction of transactions) {
    const { xid, kind, lastId } = transaction;
    let id = xid === token.partly?.xid ? token.partly.id : LOWEST_ID;
    while (id < lastId) {
      const read = kind === 'event' ? readEvents : readRejections;
      const { items, isComplete } = await read(db, storeId, transaction, id, limits.items - changes.length);
      let used = 0;
      for (; used < items.length && !isFull(); used += 1) {
        const change = items[used] as Change;
        changes.push(change);
        if (change.kind === 'event') bytes += eventBytes(change.event);
        id = changeId(change);
      }
      if (isComplete && used === items.length) id = lastId;
      if (transaction === last && id === lastId) break;
      if (isFull() || performance.now() - start >= limits.milliseconds) return { changes, reached: { xid, id } };
    }
  }
  const reached = last && transactions.length === MAX_TRANSACTIONS ? { xid: last.xid, id: last.lastId } : undefined;
  return { changes, reached };
}

/**
 * Finds the first transactions that a token has not seen: those in progress then, and those that began later. Two
 * parts, because if a client has made the token up, everything that is stored may lie between the first and the last in
 * progress.
 */
async function findTransactions(
  db: Sql,
  storeId: string,
  { seen, partly }: ResumeToken,
  snapshot: string,
): Promise<CommittedTransaction[]> {
  const isNext = sql`
    store_id = ${storeId} and xid >= ${partly?.xid ?? '0'}::xid8 and xid < pg_snapshot_xmax(${snapshot}::pg_snapshot)
    and pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)`;
  const inOrder = sql`order by xid, first_id limit ${MAX_TRANSACTIONS}`;
  const { rows } = await sql<CommittedTransaction>`
    select kind, xid::text as xid, first_id as "firstId", last_id as "lastId" from (
      (
        -- One by one: before version 17, an array of them is looked for among all that follows the first.
        select a.* from pg_snapshot_xip(${seen}::pg_snapshot) as under_way(id),
          lateral (select * from addition where ${isNext} and xid = under_way.id ${inOrder}) as a
        order by a.xid, a.first_id limit ${MAX_TRANSACTIONS}
      )
      union all
      (select * from addition where ${isNext} and xid >= pg_snapshot_xmax(${seen}::pg_snapshot) ${inOrder})
    ) as next
    order by next.xid, next.first_id
    limit ${MAX_TRANSACTIONS}`.execute(db);
  return rows;
}

interface ChangesOfTransaction {
  items: Change[];
  isComplete: boolean;
}

/** Returns the events of one transaction, ordered by id. */
async function readEvents(
  db: Sql,
  storeId: string,
  transaction: CommittedTransaction,
  after: string,
  limit: number,
): Promise<ChangesOfTransaction> {
  const { xid, firstId, lastId } = transaction;
  const query = sql`
    select * from event
    where store_id = ${storeId} and id between ${firstId} and ${lastId} and id > ${after}
      and xmin = ${xid}::xid8::xid
    order by id`;
  const { rows } = await sql<Candidate<EventRow>>`
    select ${EVENT_COLUMNS}, candidates from ${candidates(query, limit, MAX_EVENT_BYTES)} e order by e.id`.execute(db);
  const shown = rows.slice(0, limit);
  return {
    items: shown.map((row) => ({ xid, kind: 'event', event: eventFromRow(row) })),
    isComplete: shown.length === (rows[0]?.candidates ?? 0),
  };
}

/** Returns the refused requests of one transaction, ordered by id. */
async function readRejections(
  db: Sql,
  storeId: string,
  transaction: CommittedTransaction,
  after: string,
  limit: number,
): Promise<ChangesOfTransaction> {
  const { xid, firstId, lastId } = transaction;
  const { rows } = await sql<RejectionRow>`
    select ${REJECTION_COLUMNS}
    from rejection r join api_key k on k.id = r.key_id
    where r.store_id = ${storeId} and r.id between ${firstId} and ${lastId} and r.id > ${after}
      and r.xmin = ${xid}::xid8::xid
    order by r.id
    limit ${limit + 1}`.execute(db);
  const items = rows
    .slice(0, limit)
    .map((row): Change => ({ xid, kind: 'rejection', rejection: rejectionFromRow(row) }));
  return { items, isComplete: rows.length <= limit };
}

/** Deletes the records of changes that are too old to resume from. */
export async function deleteOldAdditions(db: Sql, olderThanMs: number): Promise<void> {
  const before = new Date(Date.now() - olderThanMs).toISOString();
  await db.deleteFrom('addition').where('added_at', '<', before).execute();
}
