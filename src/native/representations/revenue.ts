import type { AttributedRevenue, AttributionTotals } from '../../../generated/native/types.gen.ts';
import type { Revenue } from '../../domain/tracking/attribution/report.ts';

export function renderRevenue({ currency, orders, amount, refunded }: Revenue): AttributedRevenue {
  return { currency, order_count: orders, amount, refunded_amount: refunded };
}

export function renderTotals(revenue: readonly Revenue[]): AttributionTotals {
  return { order_count: ordersOf(revenue), revenue: revenue.map(renderRevenue) };
}

/** Orders of all currencies. */
export function ordersOf(revenue: readonly Revenue[]): number {
  return revenue.reduce((sum, { orders }) => sum + orders, 0);
}
