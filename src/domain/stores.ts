import { sql } from 'kysely';
import { StoreEntity } from '../db/entities/store.ts';
import type { Database } from '../db/orm.ts';
import { newId } from '../ids/uuid-v7.ts';

/** The id of a store, by its name; created where there is none yet. */
export async function ensureStore({ sql: db }: Database, name: string): Promise<string> {
  await sql`insert into store (id, name) values (${newId()}, ${name}) on conflict (name) do nothing`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from store where name = ${name}`.execute(db);
  return (rows[0] as { id: string }).id;
}

/** The names of all stores, by their ids. */
export async function storeNames({ orm }: Database): Promise<Map<string, string>> {
  return new Map((await orm.em.fork().find(StoreEntity, {})).map(({ id, name }) => [id, name]));
}

/** The id of a store, by its name. */
export async function findStore({ orm }: Database, name: string): Promise<string | undefined> {
  return (await orm.em.fork().findOne(StoreEntity, { name }))?.id;
}
