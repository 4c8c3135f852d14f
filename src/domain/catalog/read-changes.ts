import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../reading/cursor.ts';
import type { CatalogChange } from './changes.ts';

export interface ListedChange extends CatalogChange {
  id: string;
  changedAt: Date;
}

type Row = Omit<ListedChange, 'changedAt'> & { changed: number; candidates?: never };

/** Returns changes, newest first: those of one item, if it is given. */
export async function listChanges(
  db: Sql,
  storeId: string,
  itemId: string | undefined,
  { limit, cursor }: PageRequest,
): Promise<Page<ListedChange>> {
  const before = readBefore(cursor);
  const { rows } = await sql<Row>`
    select id, item_id as "itemId", variant_id as "variantId", kind, currency, before::float8 as before,
      after::float8 as after, (extract(epoch from changed_at) * 1000)::float8 as changed
    from catalog_change
    where store_id = ${storeId} and id < ${before} ${itemId === undefined ? sql`` : sql`and item_id = ${itemId}`}
    order by ${itemId === undefined ? sql`id desc` : sql`item_id desc, id desc`}
    limit ${limit + 1}`.execute(db);
  return toPage(rows, limit, ({ changed, ...change }) => ({ ...change, changedAt: new Date(changed) }), idCursor);
}
