import { sql } from 'kysely';
import { integers, texts, uuids } from '../../../db/binary-arrays.ts';
import { FullQueues } from '../../../db/full-queues.ts';
import type { Sql } from '../../../db/sql.ts';
import type { MessageChannel, MessageClass, MessageContext, MessageSource } from './message.ts';

/** A message that is to be sent. Times are milliseconds. */
export interface NewMessage {
  id: string;
  profileId: string;
  senderId: string;
  /** Both null: the text of the service. */
  templateId: string | null;
  templateVersion: number | null;
  channel: MessageChannel;
  class: MessageClass;
  source: MessageSource;
  sourceId: string | null;
  /** The run, its step and the number of its effect; null for others. */
  ofRun: { runId: string; seq: number; stepId: string; isAwaited: boolean } | null;
  context: MessageContext;
  dueAt: number;
  expiresAt: number | null;
}

/** Besides those of campaigns, which are as many as these have recipients: what somebody waits for is not refused for them. */
const OF_NO_CAMPAIGN = { which: sql`source <> 'campaign'`, order: sql`class, due_at, id` };

/** Whether senders take any more messages; `most` may wait, by default a million. */
export function messageQueues(most?: number): FullQueues {
  return new FullQueues('message', 'sender_id', { of: OF_NO_CAMPAIGN, ...(most !== undefined && { most }) });
}

/** Queues messages within a transaction; they are sent once it is committed. */
export async function insertMessages(tx: Sql, storeId: string, messages: readonly NewMessage[]): Promise<void> {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const NONE = '00000000-0000-0000-0000-000000000000';
  await sql`
    insert into message (store_id, id, profile_id, sender_id, template_id, template_version, class, source, source_id,
      run_id, seq, step_id, is_awaited, context, due_at, expires_at, created_at, channel, status)
    select ${storeId}::uuid, m.id, m.profile_id, m.sender_id, nullif(m.template_id, ${NONE}), nullif(m.template_version, 0), m.class, m.source,
      nullif(m.source_id, ${NONE}), nullif(m.run_id, ${NONE}), nullif(m.seq, -1), m.step_id, m.is_awaited = 1, m.context::jsonb,
      m.due_at::timestamptz, m.expires_at::timestamptz, now(), m.channel, 'waiting'
    from unnest(
      ${uuids(messages.map(({ id }) => id))}::uuid[],
      ${uuids(messages.map(({ profileId }) => profileId))}::uuid[],
      ${uuids(messages.map(({ senderId }) => senderId))}::uuid[],
      ${uuids(messages.map(({ templateId }) => templateId ?? NONE))}::uuid[],
      ${integers(messages.map(({ templateVersion }) => templateVersion ?? 0))}::int[],
      ${texts(messages.map(({ channel }) => channel))}::text[],
      ${texts(messages.map((message) => message.class))}::text[],
      ${texts(messages.map(({ source }) => source))}::text[],
      ${uuids(messages.map(({ sourceId }) => sourceId ?? NONE))}::uuid[],
      ${uuids(messages.map(({ ofRun }) => ofRun?.runId ?? NONE))}::uuid[],
      ${integers(messages.map(({ ofRun }) => ofRun?.seq ?? -1))}::int[],
      ${texts(messages.map(({ ofRun }) => ofRun?.stepId ?? null))}::text[],
      ${integers(messages.map(({ ofRun }) => (ofRun?.isAwaited ? 1 : 0)))}::int[],
      ${texts(messages.map(({ context }) => JSON.stringify(context)))}::text[],
      ${texts(messages.map(({ dueAt }) => time(dueAt)))}::text[],
      ${texts(messages.map(({ expiresAt }) => time(expiresAt)))}::text[]
    ) as m (id, profile_id, sender_id, template_id, template_version, channel, class, source, source_id, run_id, seq,
      step_id, is_awaited, context, due_at, expires_at)`.execute(tx);
}
