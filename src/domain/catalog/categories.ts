import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import { decode, encode, notACursor, type Page, type PageRequest, toPage } from '../reading/cursor.ts';
import { invalid } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { MAX_LEVELS } from './descendants.ts';
import { count } from './write/count.ts';

export interface Category {
  id: string;
  title: string;
  parentId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What of a category is written; what is undefined stays. */
export interface CategoryPatch {
  id: string;
  title?: string | undefined;
  parentId?: string | null | undefined;
}

type Row = Omit<Category, 'createdAt' | 'updatedAt'> & { created: number; updated: number };

const COLUMNS = sql`
  id, title, parent_id as "parentId", (extract(epoch from created_at) * 1000)::float8 as created,
  (extract(epoch from updated_at) * 1000)::float8 as updated`;

function fromRow({ created, updated, ...category }: Row): Category {
  return { ...category, createdAt: new Date(created), updatedAt: new Date(updated) };
}

/**
 * Creates a category or changes it. Throws `validation_error` for a parent that is not there, is below the category, or
 * would have it too deep.
 */
export async function upsertCategory(
  db: Sql,
  storeId: string,
  { id, title, parentId }: CategoryPatch,
): Promise<Category & { isNew: boolean }> {
  return await changeTree(db, storeId, async (tx) => {
    const before = await findCategory(tx, storeId, id);
    if (!before && title === undefined) {
      throw invalid({ path: ['title'], problem: 'is required, as there is no such category yet' });
    }
    if (parentId) await expectPlace(tx, storeId, id, parentId);
    const { rows } = await sql<Row>`
      insert into catalog_category as c (store_id, id, title, parent_id, created_at, updated_at)
      values (${storeId}, ${id}, ${title ?? ''}, ${parentId ?? null}, now(), now())
      on conflict (store_id, id) do update set
        title = coalesce(${title ?? null}::text, c.title),
        parent_id = case when ${parentId === undefined}::boolean then c.parent_id else excluded.parent_id end,
        updated_at = case
          when c.title is distinct from coalesce(${title ?? null}::text, c.title)
            or (${parentId !== undefined}::boolean and c.parent_id is distinct from excluded.parent_id) then now()
          else c.updated_at
        end
      returning ${COLUMNS}`.execute(tx);
    if (!before) await count(tx, storeId, { categories: 1 });
    return { ...fromRow(rows[0] as Row), isNew: !before };
  });
}

export async function findCategory(db: Sql, storeId: string, id: string): Promise<Category | undefined> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from catalog_category where store_id = ${storeId} and id = ${id}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns categories by id: all, or those right below one. */
export async function searchCategories(
  db: Sql,
  storeId: string,
  parentId: string | undefined,
  { limit, cursor }: PageRequest,
): Promise<Page<Category>> {
  const after = cursor === undefined ? '' : decode(cursor);
  if (after === undefined) throw notACursor();
  const { rows } = await sql<Row & { candidates?: never }>`
    select ${COLUMNS} from catalog_category
    where store_id = ${storeId} and id > ${after}
      ${parentId === undefined ? sql`` : sql`and parent_id = ${parentId}`}
    order by id
    limit ${limit + 1}`.execute(db);
  return toPage(rows, limit, fromRow, ({ id }) => encode(id));
}

/** Undefined if there is none. Throws `validation_error` if there are categories below it. */
export async function deleteCategory(db: Sql, storeId: string, id: string): Promise<Category | undefined> {
  return await changeTree(db, storeId, async (tx) => {
    const { rows: below } = await sql<{ id: string }>`
      select id from catalog_category where store_id = ${storeId} and parent_id = ${id} limit 1`.execute(tx);
    if (below[0])
      throw invalid({ path: ['id'], problem: `has the category ${below[0].id} below it: delete or move that` });
    const { rows } = await sql<Row>`
      delete from catalog_category where store_id = ${storeId} and id = ${id} returning ${COLUMNS}`.execute(tx);
    if (!rows[0]) return undefined;
    // Who puts items into a category locks it before.
    await sql`delete from catalog_item_category where store_id = ${storeId} and category_id = ${id}`.execute(tx);
    await count(tx, storeId, { categories: -1 });
    return fromRow(rows[0]);
  });
}

/** Changes categories of a store in a transaction, one such change after the other: none becomes its own ancestor. */
async function changeTree<Result>(db: Sql, storeId: string, change: (tx: Sql) => Promise<Result>): Promise<Result> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.categories ${storeId}`}, 0))`.execute(tx);
      return await change(tx);
    }),
  );
}

/** Throws `validation_error` unless a category, with those below it, may be put below another. */
async function expectPlace(tx: Sql, storeId: string, id: string, parentId: string): Promise<void> {
  const { rows } = await sql<{ above: string[]; height: number }>`
    with recursive above (id, parent_id, depth) as (
      select id, parent_id, 1 from catalog_category where store_id = ${storeId} and id = ${parentId}
      union all
      select c.id, c.parent_id, depth + 1
      from above a join catalog_category c on c.store_id = ${storeId} and c.id = a.parent_id
      where depth <= ${MAX_LEVELS}
    ), below (id, depth) as (
      select ${id}::text collate "C", 1
      union all
      select c.id, depth + 1
      from below b join catalog_category c on c.store_id = ${storeId} and c.parent_id = b.id
      where depth <= ${MAX_LEVELS}
    )
    select array(select id from above) as above, (select max(depth) from below)::int as height`.execute(tx);
  const [{ above, height }] = rows as [(typeof rows)[number]];
  const path = ['parent_id'];
  if (parentId === id || above.includes(id)) {
    throw invalid({ path, problem: 'is the category itself, or one below it' });
  }
  if (above.length === 0) throw invalid({ path, problem: 'is not a category of the store' });
  if (above.length + height > MAX_LEVELS) throw invalid({ path, problem: `would make more than ${MAX_LEVELS} levels` });
}
