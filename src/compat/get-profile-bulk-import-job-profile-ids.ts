import type { EntityManager } from '@mikro-orm/postgresql';
import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import type { Handler } from '../http/handler.ts';
import { jobLink } from './document/job.ts';
import { pageLinks } from './query/page.ts';
import { findProfileIds } from './read-job.ts';

export function getProfileBulkImportJobProfileIds(
  em: EntityManager,
  stores: StoreData,
): Handler<Operations, 'getProfileBulkImportJobProfileIds'> {
  return async (call) => {
    const { id, items, next } = await findProfileIds(em, stores.of(call.caller.storeId), call);
    const data = items.map((profileId) => ({ type: 'profile' as const, id: profileId }));
    const address = `${jobLink(call.base(), 'profile-bulk-import-job', id)}/relationships/profiles`;
    return { status: 200, body: { data, links: pageLinks(address, call.request.query ?? {}, next) } };
  };
}
