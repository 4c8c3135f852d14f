/**
 * Tables whose rows are not backed up: those of the change feed, whose entries have transaction ids, which differ on
 * another server, so that it begins anew there; changes that only its entries lead to; how much has followed from what
 * happened lately; and whose automations are held, which is so for each copy by itself.
 */
export const WITHOUT_ROWS = [
  ...['addition', 'feed_head', 'feed_reader', 'profile_change'],
  ...['automation_chain', 'automation_hold'],
];

/**
 * The schema of the job queue, which is not backed up: our own tables record which jobs remain, and the next service to
 * start queues them again.
 */
export const QUEUE_SCHEMA = 'graphile_worker';
