import type { Sql } from '../../db/sql.ts';
import type { DataTask } from '../../engine/periodic.ts';
import { deletionOfOldRows } from '../delete-old-rows.ts';
import { readHistoryDays } from './history-setting.ts';

/** Deletes what stores keep no longer: all of it, where they keep none any more. `shared` is where the stores are. */
export function deletionOfHistory(shared: Sql): DataTask {
  return deletionOfOldRows({
    table: 'profile_history',
    key: ['id'],
    since: 'id',
    isId: true,
    days: (storeId) => readHistoryDays(shared, storeId),
    failure: 'old history of customers not deleted',
  });
}
