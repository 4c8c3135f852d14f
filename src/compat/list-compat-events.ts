import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Sql } from '../db/orm.ts';
import { eventCursor, readEvents } from '../domain/reading/events.ts';
import type { Handler } from '../http/handler.ts';
import { readPageCursor, reportCursor } from './document/links.ts';
import { checkIncludes, showEvents } from './included.ts';
import { toEventFilter } from './query/event-filter.ts';
import { pageLinks } from './query/page.ts';

const DEFAULT_SIZE = 200;
/** Bytes of properties after which a page ends: four times those of other lists, as a page may have more events. */
const MAX_BYTES = 4 * 1024 * 1024;

export function listCompatEvents(sql: Sql): Handler<Operations, 'listCompatEvents'> {
  return async ({ request: { query = {} }, caller, base }) => {
    checkIncludes(caller, query);
    const { sort = '-datetime', 'page[size]': limit = DEFAULT_SIZE, 'page[cursor]': sent } = query;
    const page = { limit, cursor: sent === undefined ? undefined : readPageCursor(sent) };
    const order = { latestFirst: sort.startsWith('-'), maxBytes: MAX_BYTES };
    const { items, next } = await reportCursor(readEvents(sql, caller, toEventFilter(query.filter), page, order));
    const shown = await showEvents(sql, caller, items, query, base(), MAX_BYTES);
    const last = items[shown.data.length - 1];
    const isCut = last !== undefined && shown.data.length < items.length;
    const links = pageLinks(`${base()}/events`, query, isCut ? eventCursor(last) : next);
    return { status: 200, body: { ...shown, links } };
  };
}
