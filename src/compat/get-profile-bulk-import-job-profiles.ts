import type { EntityManager } from '@mikro-orm/postgresql';
import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { searchProfiles } from '../domain/reading/profile-search.ts';
import type { Handler } from '../http/handler.ts';
import { jobLink } from './document/job.ts';
import { toProfileResources } from './profile-resources.ts';
import { pageLinks } from './query/page.ts';
import { findProfileIds } from './read-job.ts';

export function getProfileBulkImportJobProfiles(
  em: EntityManager,
  stores: StoreData,
): Handler<Operations, 'getProfileBulkImportJobProfiles'> {
  return async (call) => {
    const { request, caller, base } = call;
    const { query = {} } = request;
    const sql = stores.of(caller.storeId);
    const { id, items: ids, next: nextIds } = await findProfileIds(em, sql, call);
    const identifiers = [{ kind: 'id', values: ids }] as const;
    const search = { identifiers, created: {}, updated: {}, order: 'created', descending: false } as const;
    const { items, next } = await searchProfiles(sql, caller, search, { limit: ids.length, cursor: undefined });
    const data = await toProfileResources(sql, caller, items, query, base());
    const address = `${jobLink(base(), 'profile-bulk-import-job', id)}/profiles`;
    return { status: 200, body: { data, links: pageLinks(address, query, next ?? nextIds) } };
  };
}
