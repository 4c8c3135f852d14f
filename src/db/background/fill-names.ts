import { sql } from 'kysely';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { texts, uuids } from '../binary-arrays.ts';
import { type SearchableNames, searchableNames } from '../searchable-names.ts';
import type { Sql } from '../sql.ts';

/** Profiles that are read, and locked if they are changed, at once. */
const BATCH = 500;

/** Columns, and the attributes that they are made of, of which only the beginning is needed. */
interface Names extends SearchableNames {
  id: string;
  first: string | null;
  last: string | null;
}

/** Writes the names of a store's customers, where they differ from those of their attributes. */
export async function fillNames(db: Sql, storeId: string, signal: AbortSignal): Promise<void> {
  for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
    signal.throwIfAborted();
    const read: Names[] = await readNames(db, sql`store_id = ${storeId} and id > ${after} order by id limit ${BATCH}`);
    const wrong = read.filter(isWrong).map(({ id }) => id);
    if (wrong.length > 0) await correct(db, storeId, wrong);
    after = read.at(-1)?.id;
  }
}

/** Locks the profiles first, in the order in which all writers do: their attributes may have changed since. */
async function correct(db: Sql, storeId: string, ids: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const read = await readNames(
      tx,
      sql`store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) order by id for no key update`,
    );
    const wrong = read.filter(isWrong).map((names) => ({ id: names.id, ...namesOf(names) }));
    await sql`
      update profile p set full_name = r.full_name, last_name = r.last_name
      from unnest(
        ${uuids(wrong.map(({ id }) => id))}::uuid[],
        ${texts(wrong.map(({ fullName }) => fullName))}::text[],
        ${texts(wrong.map(({ lastName }) => lastName))}::text[]) as r (id, full_name, last_name)
      where p.store_id = ${storeId} and p.id = r.id`.execute(tx);
  });
}

async function readNames(db: Sql, which: ReturnType<typeof sql>): Promise<Names[]> {
  const beginning = (name: string) => sql`
    case when jsonb_typeof(attributes -> ${sql.lit(name)}) in ('string', 'number')
      then left(attributes ->> ${sql.lit(name)}, 1000) end`;
  const { rows } = await sql<Names>`
    select id, full_name as "fullName", last_name as "lastName",
      ${beginning('first_name')} as first, ${beginning('last_name')} as last
    from profile where ${which}`.execute(db);
  return rows;
}

function namesOf({ first, last }: Names): SearchableNames {
  return searchableNames({ first_name: first, last_name: last });
}

function isWrong(names: Names): boolean {
  const { fullName, lastName } = namesOf(names);
  return names.fullName !== fullName || names.lastName !== lastName;
}
