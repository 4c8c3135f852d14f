import type { EntityManager } from '@mikro-orm/postgresql';
import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Handler } from '../http/handler.ts';
import { toJobDocument } from './document/job.ts';
import { findJob } from './read-job.ts';

export function getEventBulkCreateJob(em: EntityManager): Handler<Operations, 'getEventBulkCreateJob'> {
  return async ({ request, caller, base }) => {
    const job = await findJob(em, caller, 'event-bulk-create-job', request.path.id);
    return { status: 200, body: toJobDocument('event-bulk-create-job', job, base()) };
  };
}
