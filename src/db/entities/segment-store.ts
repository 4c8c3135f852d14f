import { defineEntity, p } from '@mikro-orm/postgresql';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';

/** A store that has segments; the lock of whoever works on them. */
export const SegmentStoreEntity = defineEntity({
  name: 'SegmentStore',
  tableName: 'segment_store',
  properties: {
    storeId: p.uuid().primary(),
    /** The last night whose comparison has begun. */
    comparedOn: p.date().defaultRaw('current_date'),
    /** The customer after whom it began, the last one that it has reached, and how many are left. */
    compareFirst: p.uuid().default(LOWEST_ID),
    compareAfter: p.uuid().default(LOWEST_ID),
    compareLeft: p.integer().default(0),
    /** Milliseconds that the comparison of that night has taken. */
    compareMs: p.integer().default(0),
    /** Until when its segments are left alone, as it records more than they can follow. */
    restUntil: p.datetime(3).strictNullable(),
  },
});
