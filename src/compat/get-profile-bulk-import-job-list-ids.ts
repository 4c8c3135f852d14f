import type { EntityManager } from '@mikro-orm/postgresql';
import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Handler } from '../http/handler.ts';
import { jobLink } from './document/job.ts';
import { findJob } from './read-job.ts';

export function getProfileBulkImportJobListIds(
  em: EntityManager,
): Handler<Operations, 'getProfileBulkImportJobListIds'> {
  return async ({ request, caller, base }) => {
    const { id } = await findJob(em, caller, 'profile-bulk-import-job', request.path.id);
    const self = `${jobLink(base(), 'profile-bulk-import-job', id)}/relationships/lists`;
    return { status: 200, body: { data: [], links: { self } } };
  };
}
