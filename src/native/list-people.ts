import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listPeople as list } from '../domain/people/people.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderPerson } from './representations/person.ts';

export function listPeople(stores: StoreData): Handler<Operations, 'listPeople'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { items, next } = await list(stores.shared, storeId, toPageRequest(query));
    return { status: 200, body: { people: items.map(renderPerson), next_cursor: next } };
  };
}
