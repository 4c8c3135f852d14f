import type { DataTask } from '../../../engine/periodic.ts';
import { deletionOfOldRows } from '../../delete-old-rows.ts';

/** Days for which it is known what was told already: providers repeat themselves for some. */
export const FEEDBACK_DAYS = 30;

export function deletionOfFeedback(): DataTask {
  return deletionOfOldRows({
    table: 'feedback',
    key: ['sender_id', 'item_id'],
    since: 'received_at',
    days: FEEDBACK_DAYS,
    failure: 'old feedback of providers not deleted',
  });
}
