import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import { rowExactly } from '../../db/rows.ts';
import { decode, encode, notACursor, type Page, type PageRequest } from '../reading/cursor.ts';
import { type ItemSummary, SUMMARY, type SummaryRow, summaryFromRow, withVariants } from './read-items.ts';
import { type ItemSearch, type Place, type Route, routeOf } from './search-routes.ts';

/** Items that one request looks at. */
const MAX_SCANNED = 2_000;

interface Row extends SummaryRow {
  key: string;
  n: number;
}

/** Of all that were looked at: how many there were, and the last one. */
interface Ends {
  scanned: number;
  lastKey: string;
  lastId: string;
}

/**
 * Returns items by id; those that have changed since a time by that, and those that are searched for by the word that
 * matches. Where an index does not know all that is asked for, a page may be short, or empty, although more follow.
 */
export async function searchItems(
  db: Sql,
  storeId: string,
  search: ItemSearch,
  { limit, cursor }: PageRequest,
): Promise<Page<ItemSummary>> {
  const route = await routeOf(db, storeId, search);
  if (!route) return { items: [], next: null };
  const after = cursor === undefined ? undefined : readCursor(route, cursor);
  const most = route.filters.length === 0 ? limit + 1 : MAX_SCANNED;
  const { rows } = await sql<Row & Ends>`
    with scanned as materialized (
      select key, id, row_number() over () as n from (${route.places(after, most)}) as place
    ), found as (
      select i.*, s.key, s.n
      from (select * from scanned order by n) s
      cross join lateral ${rowExactly('catalog_item', storeId, 's.id')} i
      where ${sql.join([sql`true`, ...route.filters], sql` and `)}
      order by s.n
      limit ${limit + 1}
    ), ends as (
      select count(*)::int as scanned, (array_agg(key order by n desc))[1] as "lastKey",
        (array_agg(id order by n desc))[1] as "lastId"
      from scanned
    )
    select ends.*, shown.*
    from ends left join (select i.key, i.n::int as n, ${SUMMARY} from found i ${withVariants(storeId)}) as shown on true
    order by shown.n`.execute(db);
  const ends = rows[0] as Ends;
  const found = rows.filter(({ id }) => id !== null);
  const last = found[limit - 1];
  const isFull = found.length > limit && last !== undefined;
  const isMore = isFull || (ends.scanned === most && route.filters.length > 0);
  const end = isFull ? last : { key: ends.lastKey, id: ends.lastId };
  return { items: found.slice(0, limit).map(toSummary), next: isMore ? cursorOf(route, end) : null };
}

function toSummary({ key: _, n: __, ...row }: Row & Partial<Ends>): ItemSummary {
  const { scanned: ___, lastKey: ____, lastId: _____, ...summary } = row;
  return summaryFromRow(summary);
}

function cursorOf({ name }: Route, { key, id }: Place): string {
  return encode(JSON.stringify([name, key, id]));
}

function readCursor(route: Route, cursor: string): Place {
  try {
    const place: unknown = JSON.parse(decode(cursor) ?? '');
    if (!Array.isArray(place)) throw notACursor();
    const [name, key, id] = place as unknown[];
    if (name !== route.name || typeof key !== 'string' || typeof id !== 'string') throw notACursor();
    if (key.includes('\0') || id.includes('\0')) throw notACursor();
    if (!route.isKey(key) || cursorOf(route, { key, id }) !== cursor) throw notACursor();
    return { key, id };
  } catch (error) {
    if (error instanceof SyntaxError) throw notACursor();
    throw error;
  }
}
