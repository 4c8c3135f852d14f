import type { Rfm as RfmBody, SegmentDefinition } from '../../../generated/native/types.gen.ts';
import type { Rfm } from '../../domain/rfm/rfm.ts';

export function renderRfm({ customers, isSampled, currency, thresholds, segments }: Rfm): RfmBody {
  return {
    customer_count: customers,
    is_sampled: isSampled,
    currency,
    thresholds: thresholds && {
      recent_days: thresholds.recentDays,
      middle_days: thresholds.middleDays,
      late_days: thresholds.lateDays,
      some_orders: thresholds.someOrders,
      many_orders: thresholds.manyOrders,
      high_amount: thresholds.highAmount,
    },
    segments: segments.map(({ kind, name, definition, segmentId }) => ({
      ...{ kind, name, segment_id: segmentId },
      definition: definition as SegmentDefinition,
    })),
  };
}
