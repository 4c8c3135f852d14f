/** Tables whose rows are not backed up: they refer to transaction ids, which differ on another server. */
export const WITHOUT_ROWS = ['addition'];

/**
 * The schema of the job queue, which is not backed up: our own tables record which jobs remain, and the next service to
 * start queues them again.
 */
export const QUEUE_SCHEMA = 'graphile_worker';
