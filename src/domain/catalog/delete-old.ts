import type { DataTask } from '../../engine/periodic.ts';
import { deletionOfOldRows } from '../delete-old-rows.ts';

/** Days for which changes are kept. */
const CHANGE_DAYS = 90;
/** Days after which a load that was not completed is given up. */
const SYNC_DAYS = 7;
/** Days after which a customer does not wait for an item any more. */
const SUBSCRIPTION_DAYS = 365;
/** Days for which runs of feeds are kept. */
const FEED_RUN_DAYS = 30;
/** Days for which files of feeds are kept that nobody has read. */
const FEED_FILE_DAYS = 7;

export function deletionOfCatalogChanges(): DataTask {
  return deletionOfOldRows({
    table: 'catalog_change',
    key: ['id'],
    since: 'id',
    isId: true,
    days: CHANGE_DAYS,
    failure: 'old changes of catalogs not deleted',
  });
}

export function deletionOfCatalogSubscriptions(): DataTask {
  return deletionOfOldRows({
    table: 'catalog_subscription',
    key: ['id'],
    since: 'id',
    isId: true,
    days: SUBSCRIPTION_DAYS,
    failure: 'old subscriptions to items not deleted',
  });
}

/** Deletes loads, and what came with them; first the loads, so that none is completed without all of it. */
export function deletionOfCatalogSyncs(): DataTask[] {
  return [
    deletionOfOldRows({
      table: 'catalog_sync',
      key: ['id'],
      since: 'id',
      isId: true,
      days: SYNC_DAYS,
      failure: 'old loads of catalogs not deleted',
    }),
    deletionOfOldRows({
      table: 'catalog_sync_item',
      key: ['sync_id', 'item_id'],
      since: 'sync_id',
      isId: true,
      days: SYNC_DAYS,
      failure: 'what came with old loads of catalogs not deleted',
    }),
  ];
}

/** Deletes runs of feeds, what was wrong with their files, and files that nobody has read. */
export function deletionOfFeedRuns(): DataTask[] {
  return [
    deletionOfOldRows({
      table: 'catalog_feed_run',
      key: ['id'],
      since: 'id',
      isId: true,
      days: FEED_RUN_DAYS,
      failure: 'old runs of feeds not deleted',
    }),
    deletionOfOldRows({
      table: 'catalog_feed_error',
      key: ['run_id', 'number'],
      since: 'run_id',
      isId: true,
      days: FEED_RUN_DAYS,
      failure: 'errors of old runs of feeds not deleted',
    }),
    deletionOfOldRows({
      table: 'catalog_feed_part',
      key: ['feed_id', 'number'],
      since: 'put_at',
      days: FEED_FILE_DAYS,
      failure: 'old files of feeds not deleted',
    }),
  ];
}
