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
    /** When it is to be found out in the background; null if it is not. */
    dueAt: p.datetime(3).nullable(),
    /** Whether it took longer than a request waits. */
    isSlow: p.boolean().default(false),
  },
  indexes: [
    { name: 'recommendation_computed', properties: ['storeId', 'computedAt'] },
    {
      name: 'recommendation_due',
      expression: 'create index recommendation_due on recommendation (store_id, due_at) where due_at is not null',
    },
  ],
});
