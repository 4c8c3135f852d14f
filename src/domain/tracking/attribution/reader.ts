import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { addFeedReader } from '../../feed/readers.ts';
import { MAX_WINDOW_DAYS } from '../../senders/message-settings.ts';

/** The name under which the position in a store's change feed is kept. A store has it once somebody followed a link of its messages, and while a campaign has a hold-out to be compared with. */
export const READER = 'attribution';

/**
 * Has the orders of a store read from before a campaign begins that holds some customers out: what these order is compared with
 * what the others do. To be called once its time has come, and before it begins.
 */
export async function readFromBegin(db: Sql, storeId: string, campaignId: string): Promise<void> {
  const { rows } = await sql`
    select from campaign
    where store_id = ${storeId} and id = ${campaignId} and status = 'scheduled' and hold_out > 0 and due_at <= now()`.execute(
    db,
  );
  if (rows.length > 0) await addFeedReader(db, { storeId, name: READER });
}

/** Whether a campaign of a store has a hold-out whose orders are to be known, now or as soon as it begins. */
export const HOLDS_OUT = (storeId: string) => sql`exists (
  select from campaign
  where store_id = ${storeId} and hold_out > 0 and (
    started_at > now() - make_interval(days => ${MAX_WINDOW_DAYS.click + 1}) or (status = 'scheduled' and due_at <= now())
  )
)`;
