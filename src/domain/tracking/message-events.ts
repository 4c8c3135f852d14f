import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import { rowsById } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import type { Draft } from '../write/draft.ts';
import { recordInTransaction } from '../write/record-batch.ts';

/** The message that an event is about. */
export interface MessageOfEvent {
  id: string;
  profileId: string;
  templateId: string | null;
  templateVersion: number | null;
  source: string;
  sourceId: string | null;
  variant: number | null;
  runId: string | null;
  stepId: string | null;
}

/** As columns of a row of `message`. */
export const COLUMNS_OF_EVENT = sql`id, profile_id as "profileId", template_id as "templateId",
  template_version as "templateVersion", source, source_id as "sourceId", variant, run_id as "runId", step_id as "stepId"`;

/** What happened to a message. */
export interface MessageEvent {
  message: MessageOfEvent;
  eventType: string;
  at: Date;
  /** Besides those that say which message it is. */
  properties?: Readonly<Record<string, unknown>>;
}

/** The same of messages that are to be read first. */
export interface FateEvent extends Omit<MessageEvent, 'message'> {
  messageId: string;
}

/** Records what happened to messages, as below. */
export async function recordFateEvents(tx: Sql, storeId: string, events: readonly FateEvent[]): Promise<void> {
  if (events.length === 0) return;
  const ids = [...new Set(events.map(({ messageId }) => messageId))];
  const { rows } = await sql<MessageOfEvent>`
    select ${COLUMNS_OF_EVENT} from ${rowsById('message', storeId, ids)} m`.execute(tx);
  const messages = new Map(rows.map((row) => [row.id, row]));
  const known = events.flatMap(({ messageId, ...event }): MessageEvent[] => {
    const message = messages.get(messageId);
    return message ? [{ ...event, message }] : [];
  });
  await recordMessageEvents(tx, storeId, known);
}

/** How many automations led to a run, and to what they began with. */
interface Depth {
  id: string;
  depth: number;
  /** The id of what they began with. */
  chain: string;
}

/** Records what happened to messages, in the transaction that says so. What is of customers who are not known any more is refused. */
export async function recordMessageEvents(tx: Sql, storeId: string, events: readonly MessageEvent[]): Promise<void> {
  if (events.length === 0) return;
  const runIds = events.flatMap(({ message: { runId } }) => runId ?? []);
  const depths = await depthsOf(tx, storeId, runIds);
  const receivedAt = new Date();
  const drafts = events.map(({ message, eventType, at, properties }): Draft => {
    const run = message.runId === null ? undefined : depths.get(message.runId);
    return {
      profileId: message.profileId,
      identifiers: {},
      onIdentifierConflict: 'ignore',
      event: {
        id: newId(),
        eventType,
        properties: { ...propertiesOf(message), ...properties },
        source: {
          message: { id: message.id },
          // Programs open messages, too, and some are taken for people: automations must not feed each other by them.
          ...(run && { automation: { run_id: run.id, depth: run.depth + 1, chain: run.chain } }),
        },
        idempotencyKey: null,
        occurredAt: at,
        receivedAt,
      },
    };
  });
  await recordInTransaction(tx, storeId, drafts, { returnProfiles: false });
}

async function depthsOf(tx: Sql, storeId: string, runIds: readonly string[]): Promise<Map<string, Depth>> {
  if (runIds.length === 0) return new Map();
  const { rows } = await sql<Depth>`
    select id, depth,
      coalesce(origin ->> 'chain', case when origin ->> 'id' like '%:%' then id::text else origin ->> 'id' end) as chain
    from automation_run
    where store_id = ${storeId} and id = any(${uuids([...new Set(runIds)])}::uuid[])`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

function propertiesOf(message: MessageOfEvent): Record<string, unknown> {
  const { id, templateId, templateVersion, source, sourceId, variant, runId, stepId } = message;
  return {
    message_id: id,
    template_id: templateId,
    version: templateVersion,
    ...(source === 'automation' ? { automation_id: sourceId, run_id: runId, step_id: stepId } : {}),
    ...(source === 'campaign' ? { campaign_id: sourceId, ...(variant === null ? {} : { variant }) } : {}),
  };
}
