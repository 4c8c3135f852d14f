import type { Operations } from '../../generated/native/operations.gen.ts';
import { recommend, type Wanted } from '../domain/catalog/recommendations/recommend.ts';
import { expectScopes } from '../domain/expect-scopes.ts';
import { currentId } from '../domain/profile-aliases.ts';
import { invalid } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { renderSummary } from './representations/catalog.ts';

/** Items, where no number is asked for. */
const DEFAULT_LIMIT = 4;

export function listRecommendations(writing: WithConnection): Handler<Operations, 'listRecommendations'> {
  return async ({ request: { query }, caller }) => {
    const wanted = toWanted(query);
    if ('profileId' in wanted) expectScopes(caller, ['events:read', 'profiles:read'], 'what a customer did needs');
    // What is found out is kept.
    const found = await writing(caller.storeId, async (db) => {
      const profileId = 'profileId' in wanted && (await currentId(db, caller.storeId, wanted.profileId));
      return await recommend(db, caller.storeId, profileId ? { ...wanted, profileId } : wanted);
    });
    const recommendations = found.map(({ item, because }) => ({ because, item: renderSummary(item) }));
    return { status: 200, body: { recommendations } };
  };
}

type Query = NonNullable<Operations['listRecommendations']['request']['query']>;

function toWanted(query: Query): Wanted {
  const { kind, item_id: itemId, category_id: categoryId, profile_id: profileId } = query;
  const common = { limit: query.limit ?? DEFAULT_LIMIT, hasFallback: query.fallback ?? true };
  switch (kind) {
    case 'also_bought':
      return { ...common, kind, itemId: expectGiven('item_id', itemId) };
    case 'best_sellers':
      return { ...common, kind, categoryId };
    default: {
      const id = expectGiven('profile_id', profileId).toLowerCase();
      if (!isId(id)) throw invalid({ path: ['profile_id'], problem: 'is not the id of a profile' });
      return { ...common, kind, profileId: id };
    }
  }
}

function expectGiven(name: string, value: string | undefined): string {
  if (value === undefined) throw invalid({ path: [name], problem: 'is required for this kind' });
  return value;
}
