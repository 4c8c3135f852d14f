import { sql } from 'kysely';
import { StoreEntity } from '../db/entities/store.ts';
import type { Database } from '../db/orm.ts';
import { newId } from '../ids/uuid-v7.ts';

/** Returns the id of the store with a name, creating it if there is none. */
export async function ensureStore({ sql: db }: Database, name: string): Promise<string> {
  await sql`insert into store (id, name) values (${newId()}, ${name}) on conflict (name) do nothing`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from store where name = ${name}`.execute(db);
  return (rows[0] as { id: string }).id;
}

/** Returns the names of all stores by id. */
export async function storeNames({ orm }: Database): Promise<Map<string, string>> {
  return new Map((await orm.em.fork().find(StoreEntity, {})).map(({ id, name }) => [id, name]));
}

/** Returns the id of the store with a name. */
export async function findStore({ orm }: Database, name: string): Promise<string | undefined> {
  return (await orm.em.fork().findOne(StoreEntity, { name }))?.id;
}
