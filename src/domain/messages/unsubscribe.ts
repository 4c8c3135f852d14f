import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { recordConsents } from '../consent/record-consents.ts';
import { typeOfFate } from '../tracking/core/event-types.ts';
import { recordFateEvents } from '../tracking/message-events.ts';
import { findProfileIds } from '../write/look-up.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { MessageToken } from './tokens.ts';

/** What the history of consent says of a choice that was made by the link of a message. */
export const CHOSEN_BY_LINK = 'message';

/**
 * Unsubscribes a customer from what the message was sent through, which others hear of as an event. One who is not known any
 * more is sent nothing anyway; a message that is not is no reason to go on.
 */
export async function unsubscribe(
  db: Sql,
  { storeId, profileId: addressed, channel, messageId }: Omit<MessageToken, 'kind'>,
): Promise<void> {
  const at = new Date();
  const choice = { channel, kind: 'unsubscribed', changedAt: at, isNow: true } as const;
  await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const profileId = (await findProfileIds(tx, storeId, [addressed])).get(addressed);
      if (profileId === undefined) return;
      const { rows } = await sql<{ status: string }>`
        select status from consent
        where store_id = ${storeId} and profile_id = ${profileId} and channel = ${channel}
        for no key update`.execute(tx);
      await recordConsents(tx, storeId, [{ ...choice, profileId, source: CHOSEN_BY_LINK }]);
      // Mail programs and people may do so twice.
      if (rows[0]?.status === 'unsubscribed') return;
      await recordFateEvents(tx, storeId, [{ messageId, eventType: typeOfFate(channel, 'unsubscribed'), at }]);
    }),
  );
}
