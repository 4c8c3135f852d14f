import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Sql } from '../db/orm.ts';
import type { Handler } from '../http/handler.ts';
import { findErrors } from './read-job.ts';

export function getProfileBulkImportJobErrors(sql: Sql): Handler<Operations, 'getProfileBulkImportJobErrors'> {
  return async (call) => ({ status: 200, body: await findErrors(sql, call, 'profile-bulk-import-job') });
}
