import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Sql } from '../db/orm.ts';
import { checkParsable } from '../db/raw-json.ts';
import { lastEventTimes, searchProfiles } from '../domain/reading/profile-search.ts';
import type { Handler } from '../http/handler.ts';
import { readPageCursor, reportCursor } from './document/links.ts';
import { toProfileDocument } from './document/profile.ts';
import { pageLinks } from './query/page.ts';
import { toProfileSearch } from './query/profile-filter.ts';
import { pickAttributes } from './query/sparse.ts';

const DEFAULT_SIZE = 20;

export function listCompatProfiles(sql: Sql): Handler<Operations, 'listCompatProfiles'> {
  return async ({ request: { query = {} }, caller, base }) => {
    const { sort = 'created', 'page[size]': limit = DEFAULT_SIZE, 'page[cursor]': sent } = query;
    const search = { ...toProfileSearch(query.filter), latestFirst: sort.startsWith('-') };
    const page = { limit, cursor: sent === undefined ? undefined : readPageCursor(sent) };
    const { items, next } = await reportCursor(searchProfiles(sql, caller, search, page));
    checkParsable(items.map(({ attributes }) => attributes));
    const ids = items.map(({ id }) => id);
    const lastEvents = await lastEventTimes(sql, caller, ids);
    const address = `${base()}/profiles`;
    const data = items.map((profile) => {
      const document = toProfileDocument(profile, lastEvents.get(profile.id) ?? null, `${address}/${profile.id}`);
      return pickAttributes(document.data, query['fields[profile]']);
    });
    return { status: 200, body: { data, links: pageLinks(address, query, next) } };
  };
}
