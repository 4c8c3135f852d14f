import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { type ListSearch, searchLists } from '../domain/lists/search-lists.ts';
import type { Handler } from '../http/handler.ts';
import { readPageCursor, reportCursor } from './document/links.ts';
import { toListResource } from './document/list.ts';
import { parseFilter, unknownCondition } from './query/filter.ts';
import { pageLinks } from './query/page.ts';
import { pickAttributes } from './query/sparse.ts';

const DEFAULT_SIZE = 20;

export function listCompatLists(stores: StoreData): Handler<Operations, 'listCompatLists'> {
  return async ({ request: { query = {} }, caller: { storeId }, base }) => {
    const { sort = 'created', 'page[size]': limit = DEFAULT_SIZE, 'page[cursor]': sent } = query;
    const page = { limit, cursor: sent === undefined ? undefined : readPageCursor(sent) };
    const search = { ...toConditions(query.filter), latestFirst: sort.startsWith('-') };
    const { items, next } = await reportCursor(searchLists(stores.of(storeId), storeId, search, page));
    const data = items.map((list) => pickAttributes(toListResource(list, base()), query['fields[list]']));
    return { status: 200, body: { data, links: pageLinks(`${base()}/lists`, query, next) } };
  };
}

/** Converts the `filter`. Throws `validation_error` for what it may not have. */
function toConditions(filter: string | undefined): Pick<ListSearch, 'ids' | 'names'> {
  const conditions = filter === undefined || filter.trim() === '' ? [] : parseFilter(filter);
  const wanted: { id?: string[]; name?: string[] } = {};
  for (const condition of conditions) {
    const { operator, field, values } = condition;
    if ((field !== 'id' && field !== 'name') || (operator !== 'equals' && operator !== 'any'))
      throw unknownCondition(condition);
    wanted[field] = wanted[field]?.filter((value) => values.includes(value)) ?? values;
  }
  return { ids: wanted.id, names: wanted.name };
}
