import type { FullQueues } from '../../db/full-queues.ts';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import { findMessageItems } from '../catalog/message-items.ts';
import type { JsonObject } from '../conditions/subject.ts';
import type { Identifiers } from '../identifiers.ts';
import { always, type Once } from '../kept-answers.ts';
import { findEvent } from '../reading/events.ts';
import { chosenSender } from '../senders/chosen-sender.ts';
import { invalid } from '../service-error.ts';
import type { LookedUp } from '../templates/core/looked-up.ts';
import { eventData } from '../templates/message-data.ts';
import { expectSendable } from '../templates/sendable.ts';
import { findProfileOf } from '../write/look-up.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { Message, MessageContext } from './core/message.ts';
import { insertMessages } from './core/queue.ts';
import { findMessage } from './read.ts';

/** A message that a request asks for. */
export interface Sending {
  templateId: string;
  /** Undefined for the current one. */
  templateVersion: number | undefined;
  identifiers: Identifiers;
  /** Undefined for the default sender of the store. */
  senderId: string | undefined;
  eventId: string | undefined;
  data: JsonObject;
  sendAt: Date | undefined;
  expiresAt: Date | undefined;
}

/** Milliseconds ahead that a message may be scheduled. */
const MAX_AHEAD_MS = 10 * 366 * 24 * 60 * 60 * 1000;

/**
 * Queues a message to a customer whom the store knows. Throws `validation_error` for what the store does not have, and for a
 * sender that may not send it.
 */
export async function sendMessage(
  db: Sql,
  caller: Caller,
  sending: Sending,
  queues: FullQueues,
  once: Once<Message> = always,
): Promise<Message> {
  const now = Date.now();
  expectTimes(sending, now);
  const queue = async (tx: Sql): Promise<Message> => {
    const { storeId } = caller;
    const profileId = await findProfileOf(tx, storeId, sending.identifiers);
    if (profileId === undefined) throw invalid({ path: ['profile'], problem: 'is not that of a known customer' });
    const template = await expectSendable(tx, storeId, sending.templateId, sending.templateVersion);
    const sender = await chosenSender(tx, storeId, sending.senderId, template);
    if (await queues.isFull(tx, storeId, sender.id)) {
      throw invalid({
        path: ['sender_id'],
        problem: 'is that of a sender that has a million messages to send besides those of campaigns',
      });
    }
    const id = newId();
    await insertMessages(tx, storeId, [
      {
        id,
        profileId,
        senderId: sender.id,
        templateId: sending.templateId,
        templateVersion: template.number,
        channel: template.channel,
        class: template.class,
        source: 'request',
        sourceId: null,
        ofRun: null,
        context: await contextOf(tx, caller, sending, { profileId, reads: template.reads }),
        dueAt: Math.max(now, sending.sendAt?.getTime() ?? 0),
        expiresAt: sending.expiresAt?.getTime() ?? null,
      },
    ]);
    return (await findMessage(tx, storeId, id)) as Message;
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => queue(tx))));
}

function expectTimes({ sendAt, expiresAt }: Sending, now: number): void {
  if (sendAt && sendAt.getTime() > now + MAX_AHEAD_MS) {
    throw invalid({ path: ['send_at'], problem: 'must be within ten years' });
  }
  if (expiresAt && expiresAt.getTime() > now + MAX_AHEAD_MS) {
    throw invalid({ path: ['expires_at'], problem: 'must be within ten years' });
  }
  if (expiresAt && expiresAt.getTime() <= Math.max(now, sendAt?.getTime() ?? 0)) {
    throw invalid({ path: ['expires_at'], problem: 'must be in the future, and after send_at' });
  }
}

async function contextOf(
  tx: Sql,
  caller: Caller,
  { eventId, data }: Sending,
  { profileId, reads }: { profileId: string; reads: readonly LookedUp[] },
): Promise<MessageContext> {
  if (eventId === undefined) return { data, event: null };
  const event = await findEvent(tx, caller, eventId);
  if (event?.profileId !== profileId)
    throw invalid({ path: ['event_id'], problem: 'is not that of an event of the customer' });
  const told = eventData(event);
  if (!reads.includes('event.items')) return { data, event: told };
  const [items] = await findMessageItems(tx, caller.storeId, [told.properties as JsonObject]);
  return { data, event: { ...told, items } };
}
