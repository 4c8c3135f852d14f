import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { chosenLists } from '../consent/chosen-lists.ts';
import { type ConsentChange, OPT_IN_REASONS } from '../consent/consent.ts';
import { followLists } from '../consent/follow-lists.ts';
import { recordConsents } from '../consent/record-consents.ts';
import { currentId } from '../profile-aliases.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { askedOf, HAS_LEFT, IS_IN_TIME } from './standing.ts';

/** By which message of which customer somebody confirms. */
export interface ConfirmationLink {
  storeId: string;
  profileId: string;
  messageId: string;
}

/** How a link stands: `open` if it can be followed; `left` if the customer has unsubscribed since. */
export type Standing = { state: 'open' | 'confirmed' | 'expired' | 'left'; listName: string | null };

interface Row extends Standing {
  listId: string;
  source: string | null;
}

/** Says how a link stands, which changes nothing. */
export async function readConfirmation(db: Sql, link: ConfirmationLink): Promise<Standing> {
  const found = await read(db, link);
  return { state: found?.state ?? 'expired', listName: found?.listName ?? null };
}

/**
 * Subscribes a customer to e-mail and to the list that they were asked about, unless they have unsubscribed since, whose
 * time it is that counts. Returns how the link stands then.
 */
export async function confirm(db: Sql, sent: ConfirmationLink): Promise<Standing> {
  const { storeId } = sent;
  // Before anything is read: an opt-out that is recorded meanwhile is later, and holds.
  const changedAt = new Date();
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const profileId = await currentId(tx, storeId, sent.profileId);
      const found = await read(tx, { ...sent, profileId });
      if (found?.state !== 'open') return { state: found?.state ?? 'expired', listName: found?.listName ?? null };
      const { listId, listName, source } = found;
      const list = (await chosenLists(tx, storeId, [listId]))(listId);
      const change: ConsentChange = {
        ...{ profileId, channel: 'email', kind: 'subscribed', changedAt, isNow: false, list, source },
        reason: OPT_IN_REASONS.confirmed,
      };
      await recordConsents(tx, storeId, [change]);
      await followLists(tx, storeId, [change]);
      await sql`
        update list_confirmation set confirmed_at = now()
        where store_id = ${storeId} and confirmed_at is null and message_id = any(array(
          select message_id from ${askedOf(storeId, profileId)} a where list_id = ${listId}
        ))`.execute(tx);
      return { state: 'confirmed', listName };
    }),
  );
}

/** Undefined if it was asked so long ago that it is not known any more. */
async function read(db: Sql, { storeId, profileId, messageId }: ConfirmationLink): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select a.list_id as "listId", a.source, l.public_name as "listName",
      case
        when ${HAS_LEFT} then 'left'
        when a.confirmed_at is not null then 'confirmed'
        -- The link proves that its reader has the address that it was sent to, and no other.
        when not ${IS_IN_TIME} or l.id is null or p.id is null
          or p.email is distinct from coalesce(m.address, a.address) then 'expired'
        else 'open'
      end as state
    from list_confirmation a
    left join list l on l.store_id = ${storeId} and l.id = a.list_id
    left join profile p on p.store_id = ${storeId} and p.id = a.profile_id
    left join message m on m.store_id = ${storeId} and m.id = a.message_id
    where a.store_id = ${storeId} and a.message_id = ${messageId} and a.profile_id = ${profileId}`.execute(db);
  return rows[0];
}
