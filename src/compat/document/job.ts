import type {
  EventBulkCreateJobDocument,
  ImportErrorPage,
  JobAttributes,
  ProfileBulkImportJobDocument,
} from '../../../generated/compat/types.gen.ts';
import type { ImportError, ImportJob, ImportKind } from '../../domain/imports/bulk/jobs.ts';
import type { Violation } from '../../domain/service-error.ts';
import { describeViolation, TITLES } from './error.ts';
import { toResourcePath } from './profile.ts';

export type JobType = 'event-bulk-create-job' | 'profile-bulk-import-job';
type JobDocument<Type extends JobType> = Type extends 'event-bulk-create-job'
  ? EventBulkCreateJobDocument
  : ProfileBulkImportJobDocument;

const KINDS: Readonly<Record<JobType, ImportKind>> = {
  'event-bulk-create-job': 'events',
  'profile-bulk-import-job': 'profiles',
};

export function kindOf(type: JobType): ImportKind {
  return KINDS[type];
}

/** Returns the URL of a job. */
export function jobLink(base: string, type: JobType, id: string): string {
  return `${base}/${type}s/${id}`;
}

export function toJobDocument<Type extends JobType>(type: Type, job: ImportJob, base: string): JobDocument<Type> {
  const attributes: JobAttributes = {
    status: job.status,
    created_at: job.createdAt.toISOString(),
    total_count: job.total,
    completed_count: job.completed,
    failed_count: job.failed,
    started_at: job.startedAt?.toISOString() ?? null,
    completed_at: job.completedAt?.toISOString() ?? null,
    expires_at: job.expiresAt.toISOString(),
  };
  const self = jobLink(base, type, job.id);
  const relationships = { 'import-errors': { links: { related: `${self}/import-errors` } } };
  const data = { type, id: job.id, attributes, relationships, links: { self } };
  return { data } as JobDocument<Type>;
}

/** Returns a page of a job's errors; `self` is its URL, `next` the cursor of the next page. */
export function toErrorPage(errors: ImportError[], self: string, next: string | undefined): ImportErrorPage {
  const nextPage = new URL(self);
  if (next !== undefined) nextPage.searchParams.set('page[cursor]', next);
  return {
    data: errors.map((error) => ({
      type: 'import-error',
      id: error.id,
      attributes: { code: error.code, title: TITLES[error.code], ...describeViolation(inDocument(error)) },
    })),
    links: { self, next: next === undefined ? null : nextPage.href },
  };
}

/** `['data', 'attributes', 'profiles', 'data', 17]`, and within a group `…, 17, 'attributes', 'events', 'data', 3]`. */
const ITEM_STEPS = 5;
const GROUPED_STEPS = 9;

/** The profile of an event is its group's profile. */
function inDocument({ path, problem }: ImportError): Violation {
  const item = path.slice(0, ITEM_STEPS);
  if (item[2] === 'profiles') return { path: [...item, ...toResourcePath(path.slice(ITEM_STEPS))], problem };
  const inProfile = toResourcePath(path.slice(GROUPED_STEPS));
  return { path: [...item, 'attributes', 'profile', 'data', ...inProfile], problem };
}
