import type { FullQueues } from '../../../db/full-queues.ts';
import type { Sql } from '../../../db/sql.ts';
import type { EventItem } from '../../catalog/find-event-items.ts';
import { findMessageItems } from '../../catalog/message-items.ts';
import type { MessageContext } from '../../messages/core/message.ts';
import { messageOfRun } from '../../messages/core/message-of-run.ts';
import { insertMessages, type NewMessage } from '../../messages/core/queue.ts';
import { chosenSender, type ToSend } from '../../senders/chosen-sender.ts';
import { ServiceError } from '../../service-error.ts';
import { type QueuedVersion, readVersions, templateVersionKey } from '../../templates/named-templates.ts';
import { channelOf } from '../core/definition/steps.ts';
import type { MessageEffect } from '../core/machine/effects.ts';
import { RefusedEffects } from './carry-out.ts';
import type { Entrant } from './entrant.ts';

/** Bytes of what a message says besides what is known of the customer: as many as a request may send. */
const MAX_CONTEXT = 128 * 1024;

interface Asked {
  effect: MessageEffect & { templateVersion: number };
  automationId: string;
  profileId: string;
  isAwaited: boolean;
}

/**
 * Queues the messages that runs send; what they say, and whether they are sent, is decided later. Throws `RefusedEffects` if
 * any is refused, as its sender can't send it, or has too many to send, or it says too much; the transaction must not be committed then.
 */
export async function queueMessages(
  tx: Sql,
  storeId: string,
  entrants: readonly Entrant[],
  queues: FullQueues,
  now: number,
): Promise<void> {
  const asked = entrants.flatMap(messagesOf);
  if (asked.length === 0) return;
  const versions = await readVersions(
    tx,
    storeId,
    asked.map(({ effect }) => effect),
  );
  const contexts = await withItems(tx, storeId, asked, versions);
  const senders = new Senders(tx, storeId);
  const refused = new Map<string, string>();
  const messages: NewMessage[] = [];
  for (const [i, { effect, automationId, profileId, isAwaited }] of asked.entries()) {
    const { runId, seq, stepId, templateId, templateVersion, expiresAt } = effect;
    const context = contexts[i] as MessageContext;
    const messageClass = versions.get(templateVersionKey(effect))?.class;
    if (!messageClass) throw new TypeError(`There is no version ${templateVersion} of the template ${templateId}`);
    const channel = channelOf(effect.type);
    const senderId = await senders.choose(effect.senderId, { channel, class: messageClass });
    if (senderId === undefined) refused.set(runId, 'sender_unavailable');
    else if (await queues.isFull(tx, storeId, senderId)) refused.set(runId, 'queue_full');
    else if (Buffer.byteLength(JSON.stringify(context)) > MAX_CONTEXT) refused.set(runId, 'message_too_large');
    else {
      messages.push({
        id: messageOfRun({ runId, seq, at: now }),
        profileId,
        senderId,
        templateId,
        templateVersion,
        channel,
        class: messageClass,
        source: 'automation',
        sourceId: automationId,
        ofRun: { runId, seq, stepId, isAwaited },
        context,
        dueAt: now,
        expiresAt,
      });
    }
  }
  if (refused.size > 0) throw new RefusedEffects(refused);
  await insertMessages(tx, storeId, messages);
}

/** What messages say besides, with the items of their events where their templates read those. */
async function withItems(
  tx: Sql,
  storeId: string,
  asked: readonly Asked[],
  versions: ReadonlyMap<string, QueuedVersion>,
): Promise<MessageContext[]> {
  const events = asked.map(({ effect }) => {
    return versions.get(templateVersionKey(effect))?.reads.includes('event.items')
      ? (effect.context.event?.properties ?? {})
      : {};
  });
  const items = await findMessageItems(tx, storeId, events);
  return asked.map(({ effect: { context } }, i) => {
    const found = items[i] as EventItem[];
    return found.length === 0 ? context : { ...context, event: { ...context.event, items: found } };
  });
}

/** Versions of automations name the version of each template. */
function messagesOf({ automationId, profileId, reactions }: Entrant): Asked[] {
  return reactions.flatMap(({ effects, runs }) =>
    effects.flatMap((effect) => {
      if (effect.type !== 'send_email' && effect.type !== 'send_sms') return [];
      const { templateVersion } = effect;
      if (templateVersion === null) throw new TypeError(`The step ${effect.stepId} names no version of its template`);
      const waiting = runs.find(({ id }) => id === effect.runId)?.waiting;
      const isAwaited = waiting?.for === 'message' && waiting.seq === effect.seq;
      return [{ effect: { ...effect, templateVersion }, automationId, profileId, isAwaited }];
    }),
  );
}

/** Those that the messages of one transaction are sent by. */
class Senders {
  readonly #tx: Sql;
  readonly #storeId: string;
  readonly #chosen = new Map<string, string | undefined>();

  constructor(tx: Sql, storeId: string) {
    this.#tx = tx;
    this.#storeId = storeId;
  }

  /** Undefined if it is deleted, or may not send such messages. */
  async choose(id: string | null, message: ToSend): Promise<string | undefined> {
    const key = `${message.channel} ${message.class} ${id}`;
    if (!this.#chosen.has(key)) this.#chosen.set(key, await this.#find(id, message));
    return this.#chosen.get(key);
  }

  async #find(id: string | null, message: ToSend): Promise<string | undefined> {
    try {
      return (await chosenSender(this.#tx, this.#storeId, id ?? undefined, message)).id;
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }
}
