import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { MessageChannel, MessageSource } from '../core/message.ts';

export interface DueRow {
  id: string;
  profileId: string;
  templateId: string | null;
  templateVersion: number | null;
  channel: MessageChannel;
  class: 'marketing' | 'transactional';
  context: RawJson;
  /** The quiet hours of its automation; null for none. */
  quiet: RawJson | null;
  attempt: number;
  claim: number;
  status: 'waiting' | 'claimed' | 'sending';
  source: MessageSource;
  sourceId: string | null;
  /** Of its campaign, from 1. */
  variant: number | null;
  runId: string | null;
  seq: number | null;
  isAwaited: boolean;
  expiresAt: number | null;
  createdAt: number;
}

/**
 * Locks the messages of a sender that are next: those that have been due for the longest time. What somebody waits for does not
 * wait behind a large campaign: where one is at the head of the queue, half may be transactional ones, wherever in it they are.
 */
export async function lockNext(tx: Sql, storeId: string, senderId: string, limit: number): Promise<DueRow[]> {
  const oldest = await lockOldest(tx, storeId, senderId, limit);
  const isBehind = oldest.length === limit && oldest.some(({ source }) => source === 'campaign');
  if (!isBehind) return oldest;
  const urgent = await lockUrgent(tx, storeId, senderId, Math.ceil(limit / 2));
  const ids = new Set(urgent.map(({ id }) => id));
  return [...urgent, ...oldest.filter(({ id }) => !ids.has(id))].slice(0, limit);
}

const COLUMNS = sql`
  id, profile_id as "profileId", template_id as "templateId", template_version as "templateVersion", channel, class,
  context, context -> 'quiet' as quiet, attempt, claim, status, source, source_id as "sourceId", variant, run_id as "runId", seq, is_awaited as "isAwaited",
  (extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
  (extract(epoch from created_at) * 1000)::float8 as "createdAt"`;

/** By where they are: whatever the planner knows of the table, it reads no others. */
async function lockOldest(tx: Sql, storeId: string, senderId: string, limit: number): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select ${COLUMNS} from message
    where store_id = ${storeId} and sender_id = ${senderId} and due_at <= now()
    order by due_at
    limit ${limit}
    for update skip locked`.execute(tx);
  return rows;
}

/** Transactional ones that no campaign sends. The order is that of the index of what no campaign sends. */
async function lockUrgent(tx: Sql, storeId: string, senderId: string, limit: number): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select ${COLUMNS} from message
    where store_id = ${storeId} and sender_id = ${senderId} and due_at <= now()
      and class = 'transactional' and source <> 'campaign'
    order by due_at, id
    limit ${limit}
    for update skip locked`.execute(tx);
  return rows;
}
