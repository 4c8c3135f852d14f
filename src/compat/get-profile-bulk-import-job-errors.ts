import type { EntityManager } from '@mikro-orm/postgresql';
import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Handler } from '../http/handler.ts';
import { findErrors } from './read-job.ts';

export function getProfileBulkImportJobErrors(em: EntityManager): Handler<Operations, 'getProfileBulkImportJobErrors'> {
  return async (call) => ({ status: 200, body: await findErrors(em, call, 'profile-bulk-import-job') });
}
