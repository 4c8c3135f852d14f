import type { EntityManager } from '@mikro-orm/postgresql';
import type { ImportErrorPage } from '../../generated/compat/types.gen.ts';
import type { Sql } from '../db/orm.ts';
import type { Caller } from '../domain/caller.ts';
import { listImportedProfiles } from '../domain/imports/bulk/imported-profiles.ts';
import { findImportJob, type ImportJob, listImportErrors } from '../domain/imports/bulk/jobs.ts';
import type { Page } from '../domain/reading/cursor.ts';
import { ServiceError } from '../domain/service-error.ts';
import { type JobType, jobLink, kindOf, toErrorPage } from './document/job.ts';
import { readPageCursor, reportCursor } from './document/links.ts';

const DEFAULT_SIZE = 20;

/** Returns a job of the caller's store. Throws `not_found` if there is none of that type. */
export async function findJob(em: EntityManager, caller: Caller, type: JobType, id: string): Promise<ImportJob> {
  const job = await findImportJob(em, caller, kindOf(type), id);
  if (!job) throw new ServiceError('not_found', 'There is no such job');
  return job;
}

/** Returns the page of a job's errors that the request asks for. */
export async function findErrors(
  em: EntityManager,
  { caller, request, base }: PageCall,
  type: JobType,
): Promise<ImportErrorPage> {
  const { id } = await findJob(em, caller, type, request.path.id);
  const { 'page[cursor]': cursor, 'page[size]': limit = DEFAULT_SIZE } = request.query ?? {};
  const after = cursor === undefined ? undefined : readPageCursor(cursor);
  const { errors, next } = await listImportErrors(em, caller, id, { after, limit });
  const self = new URL(`${jobLink(base(), type, id)}/import-errors`);
  if (after !== undefined) self.searchParams.set('page[cursor]', after);
  self.searchParams.set('page[size]', String(limit));
  return toErrorPage(errors, self.href, next);
}

/** Returns the page of the ids of a job's profiles that the request asks for, and the id of the job. */
export async function findProfileIds(
  em: EntityManager,
  sql: Sql,
  { caller, request }: PageCall,
): Promise<Page<string> & { id: string }> {
  const { id } = await findJob(em, caller, 'profile-bulk-import-job', request.path.id);
  const { 'page[cursor]': sent, 'page[size]': limit = DEFAULT_SIZE } = request.query ?? {};
  const cursor = sent === undefined ? undefined : readPageCursor(sent);
  return { id, ...(await reportCursor(listImportedProfiles(sql, caller, id, { limit, cursor }))) };
}

interface PageCall {
  caller: Caller;
  base(): string;
  request: { path: { id: string }; query?: { 'page[cursor]'?: string; 'page[size]'?: number } };
}
