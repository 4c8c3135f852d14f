import { defineEntity, p } from '@mikro-orm/postgresql';

/** That a customer waits until an item is there again, or costs less. */
export const CatalogSubscriptionEntity = defineEntity({
  name: 'CatalogSubscription',
  tableName: 'catalog_subscription',
  properties: {
    storeId: p.uuid().primary(),
    /** In the order in which customers began to wait. */
    id: p.uuid().primary(),
    itemId: p.text().collation('C'),
    /** Null for any of them. */
    variantId: p.text().collation('C').nullable(),
    kind: p.enum(['back_in_stock', 'price_drop']),
    profileId: p.uuid(),
    below: p.decimal().columnType('numeric').nullable(),
    currency: p.text().nullable(),
    fromClient: p.boolean(),
    createdAt: p.datetime(3),
    notifiedAt: p.datetime(3).nullable(),
  },
  indexes: [
    {
      name: 'catalog_subscription_key',
      expression:
        'create unique index catalog_subscription_key on catalog_subscription (store_id, item_id, kind, profile_id, variant_id) nulls not distinct',
    },
    { name: 'catalog_subscription_of_item', properties: ['storeId', 'itemId', 'id'] },
    { name: 'catalog_subscription_to', properties: ['storeId', 'itemId', 'kind', 'id'] },
    { name: 'catalog_subscription_of_profile', properties: ['storeId', 'profileId', 'id'] },
    { name: 'catalog_subscription_waiting', properties: ['storeId', 'id'], where: 'notified_at is null' },
    {
      name: 'catalog_subscription_waiting_for_item',
      properties: ['storeId', 'itemId', 'id'],
      where: 'notified_at is null',
    },
    { name: 'catalog_subscription_told', properties: ['storeId', 'id'], where: 'notified_at is not null' },
    {
      name: 'catalog_subscription_told_of_item',
      properties: ['storeId', 'itemId', 'id'],
      where: 'notified_at is not null',
    },
  ],
});
