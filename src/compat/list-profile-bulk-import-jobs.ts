import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import type { ImportJob } from '../domain/imports/bulk/jobs.ts';
import { JOB_STATUSES, listImportJobs } from '../domain/imports/bulk/list-jobs.ts';
import type { Handler } from '../http/handler.ts';
import { toJobDocument } from './document/job.ts';
import { readPageCursor, reportCursor } from './document/links.ts';
import { parseFilter, unknownCondition } from './query/filter.ts';
import { pageLinks } from './query/page.ts';
import { pickAttributes } from './query/sparse.ts';

const DEFAULT_SIZE = 20;

export function listProfileBulkImportJobs(stores: StoreData): Handler<Operations, 'listProfileBulkImportJobs'> {
  return async ({ request: { query = {} }, caller, base }) => {
    const sql = stores.of(caller.storeId);
    const { sort = 'created_at', 'page[size]': limit = DEFAULT_SIZE, 'page[cursor]': sent } = query;
    const page = { limit, cursor: sent === undefined ? undefined : readPageCursor(sent) };
    const statuses = toStatuses(query.filter);
    const search = { kind: 'profiles', statuses, latestFirst: sort.startsWith('-') } as const;
    const { items, next } = await reportCursor(listImportJobs(sql, caller, search, page));
    const data = items.map((job) => {
      const document = toJobDocument('profile-bulk-import-job', job, base());
      return pickAttributes(document.data, query['fields[profile-bulk-import-job]']);
    });
    return { status: 200, body: { data, links: pageLinks(`${base()}/profile-bulk-import-jobs`, query, next) } };
  };
}

/** Converts the `filter`. Throws `validation_error` for what it may not have. */
function toStatuses(filter: string | undefined): ImportJob['status'][] {
  const conditions = filter === undefined || filter.trim() === '' ? [] : parseFilter(filter);
  for (const condition of conditions) {
    const { operator, field } = condition;
    if (field !== 'status' || (operator !== 'equals' && operator !== 'any')) throw unknownCondition(condition);
  }
  return JOB_STATUSES.filter((status) => conditions.every(({ values }) => values.includes(status)));
}
