import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { StoreData } from '../../db/store-data.ts';
import type { PeriodicTask } from '../../engine/periodic.ts';
import { lookAfterStores } from './look-after.ts';
import { type NotificationTools, sendDue } from './send.ts';

/** Milliseconds between two looks for what is to be done. */
const EVERY_MS = 500;
/** Days for which it is kept what somebody was told. */
const KEPT_DAYS = 30;
/** Rows that are deleted at once. */
const MOST = 5_000;

/** Looks at stores, and tells what is to be told of them. `base` is where the service is, without a slash at its end. */
export function notificationTasks(stores: StoreData, base: string, tools: NotificationTools): PeriodicTask[] {
  return [
    {
      failure: 'what needs attention is not looked for',
      everyMs: EVERY_MS,
      run: () => lookAfterStores(stores, base),
    },
    { failure: 'notifications are not sent', everyMs: EVERY_MS, run: () => sendDue(stores, tools) },
    { failure: 'old notifications not deleted', everyMs: 600_000, run: () => deleteOld(stores.shared) },
  ];
}

async function deleteOld(shared: Sql): Promise<void> {
  await sql`
    delete from notification where (store_id, id) in (
      select store_id, id from notification
      where created_at < now() - make_interval(days => ${KEPT_DAYS}) order by created_at limit ${MOST}
    )`.execute(shared);
}
