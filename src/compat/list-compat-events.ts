import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { eventCursor, readEvents } from '../domain/reading/events.ts';
import { resolveProfileId } from '../domain/reading/source-ids.ts';
import type { Handler } from '../http/handler.ts';
import { LOWEST_ID } from '../ids/uuid-v7.ts';
import { readPageCursor, reportCursor } from './document/links.ts';
import { checkIncludes, showEvents } from './included.ts';
import { toEventFilter } from './query/event-filter.ts';
import { pageLinks } from './query/page.ts';

const DEFAULT_SIZE = 200;
/** Bytes of properties after which a page ends: four times those of other lists, as a page may have more events. */
const MAX_BYTES = 4 * 1024 * 1024;

export function listCompatEvents(stores: StoreData): Handler<Operations, 'listCompatEvents'> {
  return async ({ request: { query = {} }, caller, base }) => {
    const sql = stores.of(caller.storeId);
    checkIncludes(caller, query);
    const { sort = '-datetime', 'page[size]': limit = DEFAULT_SIZE, 'page[cursor]': sent } = query;
    const page = { limit, cursor: sent === undefined ? undefined : readPageCursor(sent) };
    const order = { latestFirst: sort.startsWith('-'), maxBytes: MAX_BYTES };
    const filter = toEventFilter(query.filter);
    if (filter.profileId !== undefined) {
      filter.profileId = (await resolveProfileId(sql, caller.storeId, filter.profileId)) ?? LOWEST_ID;
    }
    const { items, next } = await reportCursor(readEvents(sql, caller, filter, page, order));
    const shown = await showEvents(sql, caller, items, query, base(), MAX_BYTES);
    const last = items[shown.data.length - 1];
    const isCut = last !== undefined && shown.data.length < items.length;
    const links = pageLinks(`${base()}/events`, query, isCut ? eventCursor(last) : next);
    return { status: 200, body: { ...shown, links } };
  };
}
