import type { DataTask } from '../../engine/periodic.ts';
import { deletionOfOldRows } from '../delete-old-rows.ts';

/** Deletes what has been counted long ago, and what is of messages that are deleted as well. */
export function deletionOfHits(): DataTask {
  return deletionOfOldRows({
    table: 'message_hit',
    key: ['message_id', 'id'],
    since: 'hit_at',
    days: 1,
    failure: 'old opens and clicks not deleted',
  });
}
