import type { Sql } from '../../db/sql.ts';
import type { Channel } from '../consent/consent.ts';
import { invalid } from '../service-error.ts';
import { findSender, outboxOf } from './find-senders.ts';
import { readMessageSettings } from './message-settings.ts';
import { firstFailing, isReady, type Sender, takes } from './sender.ts';

/** What is to be sent. */
export interface ToSend {
  channel: Channel;
  class: 'marketing' | 'transactional';
}

/**
 * Returns the sender that was chosen for messages of a channel and a class, or the default one of the store. Throws `validation_error` if
 * there is none such, if it is for others, or if its checks do not hold.
 */
export async function chosenSender(
  db: Sql,
  storeId: string,
  senderId: string | undefined,
  message: ToSend,
): Promise<Sender> {
  const id = senderId ?? (await defaultSender(db, storeId, message));
  const sender = id === null ? await outboxOf(db, storeId) : await findSender(db, storeId, id);
  const problem = problemOf(sender, message);
  if (!sender || problem) throw invalid({ path: ['sender_id'], problem: problem ?? 'is not the id of a sender' });
  return sender;
}

/** Null for the outbox. */
export async function defaultSender(
  db: Sql,
  storeId: string,
  { channel }: Pick<ToSend, 'channel'>,
): Promise<string | null> {
  const { defaultSenderId, defaultSmsSenderId } = await readMessageSettings(db, storeId);
  return channel === 'sms' ? defaultSmsSenderId : defaultSenderId;
}

function problemOf(sender: Sender | undefined, { channel, class: messageClass }: ToSend): string | undefined {
  if (!sender || sender.deletedAt) return 'is not the id of a sender';
  if (!takes(sender, channel)) {
    return channel === 'sms'
      ? 'is that of a sender for e-mail, and this is a text message'
      : 'is that of a sender for text messages, and this is an e-mail';
  }
  if (sender.class !== 'both' && sender.class !== messageClass) {
    return `is that of a sender for ${sender.class} messages, and this one is ${messageClass}`;
  }
  if (isReady(sender)) return undefined;
  const failing = firstFailing(sender);
  return failing
    ? `is that of a sender whose check ${failing} does not hold`
    : 'is that of a sender that has not been checked since it was changed';
}
