/**
 * Tables whose rows are not backed up: those of the change feed, whose entries have transaction ids, which differ on
 * another server, so that it begins anew there; changes that only its entries lead to; how much has followed from what
 * happened lately; whose automations are held,
 * and where erasures are to be done again, which is so for each copy by itself.
 */
export const WITHOUT_ROWS = [
  ...['addition', 'feed_head', 'feed_reader', 'profile_change'],
  ...['automation_chain', 'automation_hold', 'erasure_gap'],
];
