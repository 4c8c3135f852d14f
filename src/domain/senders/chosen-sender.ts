import type { Sql } from '../../db/sql.ts';
import { invalid } from '../service-error.ts';
import { findSender, outboxOf } from './find-senders.ts';
import { readMessageSettings } from './message-settings.ts';
import { firstFailing, isReady, type Sender } from './sender.ts';

/**
 * Returns the sender that was chosen for messages of a class, or the default one of the store. Throws `validation_error` if
 * there is none such, if it is for others, or if its checks do not hold.
 */
export async function chosenSender(
  db: Sql,
  storeId: string,
  senderId: string | undefined,
  messageClass: 'marketing' | 'transactional',
): Promise<Sender> {
  const id = senderId ?? (await readMessageSettings(db, storeId)).defaultSenderId;
  const sender = id === null ? await outboxOf(db, storeId) : await findSender(db, storeId, id);
  const problem = problemOf(sender, messageClass);
  if (!sender || problem) throw invalid({ path: ['sender_id'], problem: problem ?? 'is not the id of a sender' });
  return sender;
}

function problemOf(sender: Sender | undefined, messageClass: 'marketing' | 'transactional'): string | undefined {
  if (!sender || sender.deletedAt) return 'is not the id of a sender';
  if (sender.class !== 'both' && sender.class !== messageClass) {
    return `is that of a sender for ${sender.class} messages, and this one is ${messageClass}`;
  }
  if (isReady(sender)) return undefined;
  const failing = firstFailing(sender);
  return failing
    ? `is that of a sender whose check ${failing} does not hold`
    : 'is that of a sender that has not been checked since it was changed';
}
