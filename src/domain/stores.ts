import { StoreEntity } from '../db/entities/store.ts';
import type { Database } from '../db/orm.ts';
import { newId } from '../ids/uuid-v7.ts';

/** The id of a store, by its name; created where there is none yet. */
export async function ensureStore({ orm }: Database, name: string): Promise<string> {
  const store = { id: newId(), name, createdAt: new Date() };
  await orm.em.fork().upsert(StoreEntity, store, { onConflictFields: ['name'], onConflictAction: 'ignore' });
  return (await orm.em.fork().findOneOrFail(StoreEntity, { name })).id;
}

/** The names of all stores, by their ids. */
export async function storeNames({ orm }: Database): Promise<Map<string, string>> {
  return new Map((await orm.em.fork().find(StoreEntity, {})).map(({ id, name }) => [id, name]));
}

/** The id of a store, by its name. */
export async function findStore({ orm }: Database, name: string): Promise<string | undefined> {
  return (await orm.em.fork().findOne(StoreEntity, { name }))?.id;
}
