import { StoreEntity } from '../db/entities/store.ts';
import type { OrmDatabase } from '../db/orm.ts';
import { newId } from '../ids/uuid-v7.ts';

/** Returns the id of the store with a name, creating it if there is none. */
export async function ensureStore({ orm }: OrmDatabase, name: string): Promise<string> {
  const store = { id: newId(), name, createdAt: new Date() };
  await orm.em.fork().upsert(StoreEntity, store, { onConflictFields: ['name'], onConflictAction: 'ignore' });
  return (await orm.em.fork().findOneOrFail(StoreEntity, { name })).id;
}

/** Returns the names of all stores by id. */
export async function storeNames({ orm }: OrmDatabase): Promise<Map<string, string>> {
  return new Map((await orm.em.fork().find(StoreEntity, {})).map(({ id, name }) => [id, name]));
}

/** Returns the id of the store with a name. */
export async function findStore({ orm }: OrmDatabase, name: string): Promise<string | undefined> {
  return (await orm.em.fork().findOne(StoreEntity, { name }))?.id;
}
