import type { DataTask } from '../../engine/periodic.ts';
import { deletionOfOldRows } from '../delete-old-rows.ts';

/** Days for which entries are kept. */
const DAYS = 400;

export function deletionOfAuditEntries(): DataTask {
  return deletionOfOldRows({
    table: 'audit_entry',
    key: ['id'],
    since: 'id',
    isId: true,
    days: DAYS,
    failure: 'old entries of the audit log not deleted',
  });
}
