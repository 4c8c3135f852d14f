import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Sql } from '../db/orm.ts';
import type { Handler } from '../http/handler.ts';
import { findErrors } from './read-job.ts';

export function getEventBulkCreateJobErrors(sql: Sql): Handler<Operations, 'getEventBulkCreateJobErrors'> {
  return async (call) => ({ status: 200, body: await findErrors(sql, call, 'event-bulk-create-job') });
}
