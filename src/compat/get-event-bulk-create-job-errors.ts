import type { EntityManager } from '@mikro-orm/postgresql';
import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Handler } from '../http/handler.ts';
import { findErrors } from './read-job.ts';

export function getEventBulkCreateJobErrors(em: EntityManager): Handler<Operations, 'getEventBulkCreateJobErrors'> {
  return async (call) => ({ status: 200, body: await findErrors(em, call, 'event-bulk-create-job') });
}
