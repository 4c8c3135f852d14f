import { sql } from 'kysely';
import type { ListRecord } from '../../db/entities/list.ts';
import type { Sql } from '../../db/orm.ts';
import { isId, newId } from '../../ids/uuid-v7.ts';
import { always, type Once } from '../kept-answers.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';

export type List = ListRecord;

/** A list that was to be created: a new one, or the one that has its `source_id`. */
export type CreatedList = List & { isNew: boolean };

/** How customers subscribe to a list. */
export interface OptIn {
  isDoubleOptIn?: boolean | undefined;
  confirmationTemplateId?: string | null | undefined;
}

/** By default it is no topic, and nobody who subscribes to it is asked to confirm that. */
export type NewList = Pick<List, 'name' | 'sourceId'> & Partial<Pick<List, 'topic' | 'publicName'>> & OptIn;

/** What of a list a client sets: undefined leaves it as it is. */
export interface ListChange extends OptIn {
  name: string | undefined;
  sourceId: string | null | undefined;
  topic?: boolean | undefined;
  publicName?: string | null | undefined;
}

/** Lists of a store. Those that are deleted do not count. */
const MAX_LISTS = 1_000;
/** Of these, topics: all of them are on a page for customers. */
export const MAX_TOPICS = 50;

/**
 * Creates a list, or returns the one that has its `source_id` already. Throws `validation_error` if the `source_id` is the
 * id of another list, or if the store has as many lists as it may have.
 */
export async function createList(
  db: Sql,
  storeId: string,
  { name, sourceId, topic = false, publicName = null, isDoubleOptIn = false, confirmationTemplateId = null }: NewList,
  once: Once<CreatedList> = always,
): Promise<CreatedList> {
  return await changeLists(db, storeId, (tx) =>
    once(tx, async () => {
      const known = sourceId === null ? undefined : await findBySourceId(tx, storeId, sourceId);
      if (known) return { ...known, isNew: false };
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from list where store_id = ${storeId}`.execute(tx);
      if ((rows[0]?.count ?? 0) >= MAX_LISTS) {
        throw new ServiceError('validation_error', 'The store already has 1,000 lists; delete one first');
      }
      if (sourceId !== null) await expectFree(tx, storeId, sourceId);
      if (topic) await expectRoomForTopic(tx, storeId);
      const { rows: created } = await sql<ListRow>`
        insert into list (store_id, id, name, source_id, members, created_at, updated_at, topic, public_name,
          double_opt_in, confirmation_template_id)
        values (${storeId}, ${newId()}, ${name}, ${sourceId}, 0, now(), now(), ${topic}, ${publicName},
          ${isDoubleOptIn}, ${confirmationTemplateId})
        returning ${LIST_COLUMNS}`.execute(tx);
      return { ...listFromRow(created[0] as ListRow), isNew: true };
    }),
  );
}

/** Undefined if the store has no such list. Throws `validation_error` if the `source_id` is a name of another list. */
export async function updateList(
  db: Sql,
  storeId: string,
  id: string,
  { name, sourceId, topic, publicName, isDoubleOptIn, confirmationTemplateId }: ListChange,
): Promise<List | undefined> {
  return await changeLists(db, storeId, async (tx) => {
    if (typeof sourceId === 'string') await expectFree(tx, storeId, sourceId, id);
    if (topic) await expectRoomForTopic(tx, storeId, id);
    const { rows } = await sql<ListRow>`
      update list set
        name = coalesce(${name ?? null}::text, name),
        source_id = case when ${sourceId === undefined}::boolean then source_id else ${sourceId ?? null}::text end,
        topic = coalesce(${topic ?? null}::boolean, topic),
        public_name = case when ${publicName === undefined}::boolean then public_name else ${publicName ?? null}::text end,
        double_opt_in = coalesce(${isDoubleOptIn ?? null}::boolean, double_opt_in),
        confirmation_template_id = case
          when ${confirmationTemplateId === undefined}::boolean then confirmation_template_id
          else ${confirmationTemplateId ?? null}::uuid
        end,
        updated_at = now()
      where store_id = ${storeId} and id = ${id}
      returning ${LIST_COLUMNS}`.execute(tx);
    return rows[0] && listFromRow(rows[0]);
  });
}

export async function findList(db: Sql, storeId: string, id: string): Promise<List | undefined> {
  const { rows } = await sql<ListRow>`
    select ${LIST_COLUMNS} from list where store_id = ${storeId} and id = ${id}`.execute(db);
  return rows[0] && listFromRow(rows[0]);
}

async function findBySourceId(tx: Sql, storeId: string, sourceId: string): Promise<List | undefined> {
  const { rows } = await sql<ListRow>`
    select ${LIST_COLUMNS} from list where store_id = ${storeId} and source_id = ${sourceId}`.execute(tx);
  return rows[0] && listFromRow(rows[0]);
}

/** Changes lists of a store in a transaction, one such change after the other: they are counted and their ids compared. */
async function changeLists<Result>(db: Sql, storeId: string, change: (tx: Sql) => Promise<Result>): Promise<Result> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.lists ${storeId}`}, 0))`.execute(tx);
      return await change(tx);
    }),
  );
}

/** Throws `validation_error` if a list, other than that of the given id, has a `source_id` as such or as its id. */
async function expectFree(tx: Sql, storeId: string, sourceId: string, id?: string): Promise<void> {
  const sourceAsId = isId(sourceId) ? sourceId.toLowerCase() : null;
  const { rows } = await sql<{ id: string }>`
    select id from list
    where store_id = ${storeId} and (source_id = ${sourceId} or id = ${sourceAsId}::uuid)`.execute(tx);
  const others = rows.filter((list) => list.id !== id);
  if (others.length === 0) return;
  const isIdOfOther = others.some((list) => list.id === sourceAsId);
  throw invalid({
    path: ['source_id'],
    problem: isIdOfOther ? 'is the id of another list' : 'is that of another list',
  });
}

/** Throws `validation_error` if the store has as many topics as it may have, the list of the given id aside. */
async function expectRoomForTopic(tx: Sql, storeId: string, id: string | null = null): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from list
    where store_id = ${storeId} and topic and id is distinct from ${id}::uuid`.execute(tx);
  if ((rows[0]?.count ?? 0) < MAX_TOPICS) return;
  throw invalid({ path: ['topic'], problem: `is true of ${MAX_TOPICS} lists already, as many as a store may have` });
}

/** A list as a raw query returns it: times are milliseconds of Unix time. */
export type ListRow = Omit<List, 'createdAt' | 'updatedAt'> & {
  created: number;
  updated: number;
  candidates?: never;
};

/** Columns to select from `list` for a `ListRow`. */
export const LIST_COLUMNS = sql`
  id, store_id as "storeId", name, source_id as "sourceId", members::float8 as members, topic,
  public_name as "publicName", double_opt_in as "isDoubleOptIn",
  confirmation_template_id as "confirmationTemplateId", (extract(epoch from created_at) * 1000)::float8 as created,
  (extract(epoch from updated_at) * 1000)::float8 as updated`;

export function listFromRow({ created, updated, candidates: _, ...list }: ListRow): List {
  return { ...list, createdAt: new Date(created), updatedAt: new Date(updated) };
}
