import type { Sql } from '../../db/sql.ts';
import { updateConsent } from '../consent/update-consent.ts';
import type { MessageToken } from './tokens.ts';

/** What the history of consent says of a choice that was made by the link of a message. */
export const CHOSEN_BY_LINK = 'message';

/** Unsubscribes a customer from what the message was sent through. One who is not known any more is sent nothing anyway. */
export async function unsubscribe(db: Sql, { storeId, profileId, channel }: MessageToken): Promise<void> {
  const choice = { channel, kind: 'unsubscribed', changedAt: new Date(), isNow: true } as const;
  await updateConsent(db, storeId, profileId, [{ ...choice, profileId, source: CHOSEN_BY_LINK }]);
}
