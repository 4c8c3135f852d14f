import { defineEntity, p } from '@mikro-orm/postgresql';

/** Coupon codes that customers get, one each. */
export const CouponPoolEntity = defineEntity({
  name: 'CouponPool',
  tableName: 'coupon_pool',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    kind: p.enum(['uploaded', 'generated']),
    /** Whether a customer has one code, however often they are given one, or each run. */
    per: p.enum(['customer', 'run']),
    /** Of generated codes: a character is drawn for each `#`. */
    pattern: p.text().nullable(),
    /** With fewer free codes it is low. */
    lowBelow: p.integer().nullable(),
    expiresAt: p.datetime(3).nullable(),
    /** How many it has, of whatever status. */
    codes: p.integer(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
