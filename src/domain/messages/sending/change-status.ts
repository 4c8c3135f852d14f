import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { applyMessages } from '../../automations/run-actions.ts';
import type { VersionCache } from '../../automations/stored/version-cache.ts';
import { noteChanged } from '../../campaign-counts.ts';
import { ServiceError } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { MessageSource, MessageStatus } from '../core/message.ts';

/** What has become of a message. */
export interface MessageOutcome {
  id: string;
  status: MessageStatus;
}

/**
 * Keeps a message that waits from being sent, and tells the run that waits for it. Returns undefined if the store has no such message; throws
 * `validation_error` where it is too late.
 */
export async function cancelMessage(
  db: Sql,
  storeId: string,
  id: string,
  versions: VersionCache,
): Promise<MessageOutcome | undefined> {
  return await retryConflicts(db, () => db.transaction().execute((tx) => cancelWithin(tx, storeId, id, versions)));
}

interface OfSource {
  source: MessageSource;
  sourceId: string | null;
}

interface Cancelled extends MessageOutcome, OfSource {
  runId: string | null;
  seq: number | null;
  isAwaited: boolean;
}

async function cancelWithin(
  db: Sql,
  storeId: string,
  id: string,
  versions: VersionCache,
): Promise<MessageOutcome | undefined> {
  const { rows } = await sql<Cancelled>`
    update message set status = 'cancelled', due_at = null, finished_at = coalesce(finished_at, now())
    where store_id = ${storeId} and id = ${id} and status in ('waiting', 'cancelled')
    returning id, status, source, source_id as "sourceId", run_id as "runId", seq, is_awaited as "isAwaited"`.execute(
    db,
  );
  const [row] = rows;
  if (row) {
    await noteChanged(db, storeId, [row]);
    const { runId, seq, isAwaited } = row;
    if (isAwaited && runId !== null && seq !== null) {
      await applyMessages(db, storeId, [{ runId, seq, result: 'cancelled', reason: null }], versions);
    }
    return { id: row.id, status: row.status };
  }
  const status = await statusOf(db, storeId, id);
  if (status === undefined) return undefined;
  throw new ServiceError('validation_error', `The message can't be cancelled any more: it is ${status}`);
}

/**
 * Decides about a message of which it is unknown whether it was sent: once more, or taken as sent. One that was sent can be
 * left as well. Returns undefined if the store has no such message; throws `validation_error` for any other.
 */
export async function resolveMessage(
  db: Sql,
  storeId: string,
  id: string,
  decision: 'resend' | 'leave',
): Promise<MessageOutcome | undefined> {
  const { rows } = await sql<MessageOutcome & OfSource>`
    update message
    set status = ${decision === 'resend' ? 'waiting' : 'sent'}, reason = null,
      due_at = ${decision === 'resend' ? sql`now()` : null}::timestamptz,
      finished_at = ${decision === 'resend' ? null : sql`coalesce(finished_at, now())`}::timestamptz
    where store_id = ${storeId} and id = ${id} and status = 'unknown'
    returning id, status, source, source_id as "sourceId"`.execute(db);
  if (rows[0]) {
    await noteChanged(db, storeId, rows);
    return { id: rows[0].id, status: rows[0].status };
  }
  const status = await statusOf(db, storeId, id);
  if (status === undefined) return undefined;
  if ((status === 'sent' || status === 'delivered') && decision === 'leave') return { id, status };
  throw new ServiceError('validation_error', `Only what is unknown of a message can be resolved: it is ${status}`);
}

async function statusOf(db: Sql, storeId: string, id: string): Promise<MessageStatus | undefined> {
  const { rows } = await sql<MessageOutcome>`
    select id, status from message where store_id = ${storeId} and id = ${id}`.execute(db);
  return rows[0]?.status;
}
