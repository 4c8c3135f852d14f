import type { Sql } from '../../db/sql.ts';
import { updateConsent } from '../consent/update-consent.ts';
import type { MessageToken } from './tokens.ts';

/** What the history of consent says of a choice that was made by the link of a message. */
const SOURCE = 'message';

/** Unsubscribes a customer from what the message was sent through. One who is not known any more is sent nothing anyway. */
export async function unsubscribe(db: Sql, token: MessageToken): Promise<void> {
  await choose(db, token, 'unsubscribed');
}

/** Subscribes a customer to it again, who asks for it on the page of their preferences. */
export async function subscribeAgain(db: Sql, token: MessageToken): Promise<void> {
  await choose(db, token, 'subscribed');
}

async function choose(
  db: Sql,
  { storeId, profileId, channel }: MessageToken,
  kind: 'subscribed' | 'unsubscribed',
): Promise<void> {
  const change = { profileId, channel, kind, changedAt: new Date(), isNow: true, source: SOURCE } as const;
  await updateConsent(db, storeId, profileId, [change]);
}
