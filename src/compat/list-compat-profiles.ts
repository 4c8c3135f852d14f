import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { SchemaProgress } from '../db/background/background-migrations.ts';
import { PROFILE_UPDATES, PROFILES_BY_UPDATE } from '../db/background/migrations.ts';
import type { StoreData } from '../db/store-data.ts';
import type { ProfileOrder, ProfileSearch } from '../domain/reading/profile-conditions.ts';
import { searchProfiles } from '../domain/reading/profile-search.ts';
import { overloaded } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { readPageCursor, reportCursor } from './document/links.ts';
import { toProfileResources } from './profile-resources.ts';
import { pageLinks } from './query/page.ts';
import { toProfileSearch } from './query/profile-filter.ts';

const DEFAULT_SIZE = 20;

export function listCompatProfiles(
  stores: StoreData,
  background: SchemaProgress,
): Handler<Operations, 'listCompatProfiles'> {
  return async ({ request: { query = {} }, caller, base }) => {
    const sql = stores.of(caller.storeId);
    const { sort, 'page[size]': limit = DEFAULT_SIZE, 'page[cursor]': sent } = query;
    const found = toProfileSearch(query.filter, caller);
    const descending = sort?.startsWith('-') ?? false;
    const lacksJournal = !background.isComplete(PROFILE_UPDATES);
    const search = { ...found, order: orderOf(sort, found), descending, lacksJournal };
    if (search.order === 'updated' && lacksJournal && !background.isComplete(PROFILES_BY_UPDATE)) {
      throw overloaded('Profiles can be listed by their latest change once an upgrade is complete; try again later');
    }
    const page = { limit, cursor: sent === undefined ? undefined : readPageCursor(sent) };
    const { items, next } = await reportCursor(searchProfiles(sql, caller, search, page));
    const data = await toProfileResources(sql, caller, items, query, base());
    return { status: 200, body: { data, links: pageLinks(`${base()}/profiles`, query, next) } };
  };
}

/** Without a `sort`, a search by when profiles were changed is in that order, which an index has. */
function orderOf(sort: string | undefined, { updated }: Pick<ProfileSearch, 'updated'>): ProfileOrder {
  const isByUpdate = updated.from !== undefined || updated.before !== undefined;
  const name = sort?.replace('-', '') ?? (isByUpdate ? 'updated' : 'created');
  return name === 'updated' || name === 'email' ? name : 'created';
}
