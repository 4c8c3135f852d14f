import type { DataTask } from '../../../engine/periodic.ts';
import { deletionOfOldRows } from '../../delete-old-rows.ts';
import { MAX_WINDOW_DAYS } from '../../senders/message-settings.ts';

/** Orders may be recorded so many days after they were placed, and still be credited. */
const LATE_DAYS = 30;

/** Deletes clicks and opens that nothing is credited to any more. */
export function deletionOfTouches(): DataTask {
  return deletionOfOldRows({
    table: 'message_touch',
    key: ['profile_id', 'kind', 'touched_at', 'message_id'],
    since: 'touched_at',
    days: MAX_WINDOW_DAYS.click + LATE_DAYS,
    failure: 'old clicks and opens not deleted',
  });
}

/** Deletes orders that were recorded so many days ago, as messages are deleted; 0 keeps them for ever. */
export function deletionOfOrders(days: number): DataTask {
  return deletionOfOldRows({
    table: 'attribution',
    key: ['event_id'],
    since: 'event_id',
    isId: true,
    days,
    failure: 'old orders of messages not deleted',
  });
}
