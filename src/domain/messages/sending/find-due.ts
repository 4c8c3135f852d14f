import { sql } from 'kysely';
import { headsOfQueues } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { IS_READY } from '../../senders/find-senders.ts';
import { MAY_SEND_TODAY } from '../../senders/warm-up.ts';

/** A sender that something is to be done for. */
export interface DueSender {
  storeId: string;
  senderId: string;
}

/**
 * Finds the senders of one part of the data that have messages which are due. Not those that rest or whose checks do not hold, nor
 * those of stores that are held. As much work as there are senders with messages, however many of these there are.
 */
export async function findDueSenders(db: Sql): Promise<DueSender[]> {
  const { rows } = await sql<DueSender>`
    with recursive ${headsOfQueues('waiting', 'message', 'sender_id')}
    select w.store_id as "storeId", w.sender_id as "senderId"
    from waiting w
    join sender s on s.store_id = w.store_id and s.id = w.sender_id
    where w.due_at <= now()
      and (s.deleted_at is not null or (${IS_READY} and (s.resting_until is null or s.resting_until <= now())))
      and ${MAY_SEND_TODAY}
      and not exists (select from automation_hold h where h.store_id = w.store_id)`.execute(db);
  return rows;
}
