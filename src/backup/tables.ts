/** The tables of ours that a backup has no rows of: they name transactions, and another server has others. */
export const WITHOUT_ROWS = ['addition'];

/**
 * The schema of the queue of jobs, which a backup does not have: which jobs are to be done stands in our own tables, and
 * whoever starts next puts them into the queue again.
 */
export const QUEUE_SCHEMA = 'graphile_worker';
