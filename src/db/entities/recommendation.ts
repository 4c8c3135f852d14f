import { defineEntity, p } from '@mikro-orm/postgresql';

/** What is bought with an item, or most in a category, as it was found out. */
export const RecommendationEntity = defineEntity({
  name: 'Recommendation',
  tableName: 'recommendation',
  properties: {
    storeId: p.uuid().primary(),
    kind: p.enum(['also_bought', 'best_sellers']).primary(),
    /** The item, or the category; empty for all of the store. */
    place: p.text().collation('C').primary(),
    /** The best first. */
    itemIds: p.array().columnType('text[]'),
    computedAt: p.datetime(3),
  },
  indexes: [{ name: 'recommendation_computed', properties: ['storeId', 'computedAt'] }],
});
