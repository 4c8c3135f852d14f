/**
 * Tables whose rows are not backed up, those of the change feed: its entries have transaction ids, which differ on
 * another server, and it begins anew there.
 */
export const WITHOUT_ROWS = ['addition', 'feed_head', 'feed_reader'];

/**
 * The schema of the job queue, which is not backed up: our own tables record which jobs remain, and the next service to
 * start queues them again.
 */
export const QUEUE_SCHEMA = 'graphile_worker';
