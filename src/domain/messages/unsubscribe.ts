import type { Sql } from '../../db/sql.ts';
import { updateConsent } from '../consent/update-consent.ts';
import type { MessageToken } from './tokens.ts';

/** What the history of consent says of a choice that was made by the link of a message. */
const SOURCE = 'message';

/** Unsubscribes a customer from e-mail. One who is not known any more is sent nothing anyway. */
export async function unsubscribe(db: Sql, { storeId, profileId }: MessageToken): Promise<void> {
  await choose(db, { storeId, profileId }, 'unsubscribed');
}

/** Subscribes a customer to e-mail again, who asks for it on the page of their preferences. */
export async function subscribeAgain(db: Sql, { storeId, profileId }: MessageToken): Promise<void> {
  await choose(db, { storeId, profileId }, 'subscribed');
}

async function choose(
  db: Sql,
  { storeId, profileId }: Pick<MessageToken, 'storeId' | 'profileId'>,
  kind: 'subscribed' | 'unsubscribed',
): Promise<void> {
  const change = { profileId, channel: 'email', kind, changedAt: new Date(), isNow: true, source: SOURCE } as const;
  await updateConsent(db, storeId, profileId, [change]);
}
