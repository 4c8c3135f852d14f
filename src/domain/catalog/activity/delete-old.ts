import type { DataTask } from '../../../engine/periodic.ts';
import { deletionOfOldRows } from '../../delete-old-rows.ts';
import { KEPT_DAYS } from './write-activity.ts';

/** Deletes what customers did with items longer ago than counts, the days before, and what was recommended by it. */
export const DELETE_OLD_ACTIVITY: readonly DataTask[] = [
  deletionOfOldRows({
    table: 'item_activity',
    key: ['profile_id', 'kind', 'item_id'],
    since: 'last_at',
    days: KEPT_DAYS,
    failure: 'old activity with items not deleted',
  }),
  deletionOfOldRows({
    table: 'item_day',
    key: ['day', 'item_id'],
    since: 'day',
    days: KEPT_DAYS,
    failure: 'old counts of items not deleted',
  }),
  deletionOfOldRows({
    table: 'recommendation',
    key: ['kind', 'place'],
    since: 'computed_at',
    days: 2,
    failure: 'old recommendations not deleted',
  }),
];
