import { defineEntity, p } from '@mikro-orm/postgresql';

/** How far an automation has gone through the customers whom a change of an item concerns. */
export const AutomationAudienceEntity = defineEntity({
  name: 'AutomationAudience',
  tableName: 'automation_audience',
  properties: {
    storeId: p.uuid().primary(),
    /** In the order in which items have changed. */
    id: p.uuid().primary(),
    automationId: p.uuid(),
    changeId: p.uuid(),
    itemId: p.text().collation('C'),
    variantId: p.text().collation('C').nullable(),
    kind: p.enum(['back_in_stock', 'price_drop', 'low_stock']),
    currency: p.text().nullable(),
    before: p.decimal().columnType('numeric').nullable(),
    after: p.decimal().columnType('numeric').nullable(),
    changedAt: p.datetime(3),
    stage: p.enum(['subscribed', 'carted', 'viewed', 'ordered']),
    /** The last customer who has been looked at. */
    afterAt: p.datetime(3).nullable(),
    afterId: p.uuid(),
    lookedAt: p.integer().default(0),
    told: p.integer().default(0),
    isOver: p.boolean().default(false),
  },
});
