import type { Operations } from '../../generated/native/operations.gen.ts';
import type { SchemaProgress } from '../db/background/background-migrations.ts';
import { CUSTOMERS_BY_NAME } from '../db/background/migrations.ts';
import type { StoreData } from '../db/store-data.ts';
import { search as find } from '../domain/search/search.ts';
import type { Handler } from '../http/handler.ts';
import { withPlusSigns } from '../http/plus-signs.ts';

const DEFAULT_LIMIT = 5;

export function search(stores: StoreData, background: SchemaProgress): Handler<Operations, 'search'> {
  return async ({ request: { query }, caller }) => {
    const { q, limit = DEFAULT_LIMIT } = query;
    const text = q.trim();
    const address = withPlusSigns('idn-email', text);
    const asked = { text, address, limit, knowsNames: background.isComplete(CUSTOMERS_BY_NAME) };
    const { hits, incomplete } = await find(stores.of(caller.storeId), caller, asked);
    return {
      status: 200,
      body: { hits: hits.map(({ profileId, ...hit }) => ({ ...hit, profile_id: profileId })), incomplete },
    };
  };
}
