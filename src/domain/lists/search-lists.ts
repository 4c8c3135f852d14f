import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { HIGHEST_ID, LOWEST_ID } from '../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readIdCursor, toPage } from '../reading/cursor.ts';
import { findListsByName } from './find-by-name.ts';
import { LIST_COLUMNS, type List, type ListRow, listFromRow } from './lists.ts';

export interface ListSearch {
  /** Only lists with one of these names: an `id` or, if no list has that, a `source_id`. */
  ids?: readonly string[] | undefined;
  /** Only lists with one of these names. */
  names?: readonly string[] | undefined;
  /** Only the list with this `source_id`. */
  sourceId?: string | undefined;
  latestFirst: boolean;
}

/** Returns lists by id, which is by the time of their creation. A store has few enough to look at all of them. */
export async function searchLists(
  db: Sql,
  storeId: string,
  { ids, names, sourceId, latestFirst }: ListSearch,
  page: PageRequest,
): Promise<Page<List>> {
  const from = page.cursor === undefined ? undefined : readIdCursor(page.cursor);
  const onwards = latestFirst ? sql`id < ${from ?? HIGHEST_ID}` : sql`id > ${from ?? LOWEST_ID}`;
  const named = ids && [...(await findListsByName(db, storeId, ids)).values()];
  const hasId = named ? sql`id = any(${uuids(named.map(({ id }) => id))}::uuid[])` : sql`true`;
  const hasName = names ? sql`name = any(${texts(names)}::text[])` : sql`true`;
  const hasSourceId = sourceId === undefined ? sql`true` : sql`source_id = ${sourceId}`;
  const { rows } = await sql<ListRow>`
    select ${LIST_COLUMNS} from list
    where store_id = ${storeId} and ${onwards} and ${hasId} and ${hasName} and ${hasSourceId}
    order by id ${latestFirst ? sql`desc` : sql`asc`}
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, listFromRow, idCursor);
}
