import type { DataTask } from '../../engine/periodic.ts';
import { deletionOfOldRows } from '../delete-old-rows.ts';

/**
 * Deletes who was asked long ago; until then, a link says that it was used, or that it is too old. What the customer chose
 * is in the history of their consent.
 */
export function deletionOfConfirmations(): DataTask {
  return deletionOfOldRows({
    table: 'list_confirmation',
    key: ['message_id'],
    since: 'asked_at',
    days: 30,
    failure: 'old confirmations not deleted',
  });
}
