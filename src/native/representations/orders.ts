import type {
  OrderSettingsUpdate,
  RevenueTotals,
  Order as ShownOrder,
  CurrencyRevenue as ShownRevenue,
  OrderSettings as ShownSettings,
} from '../../../generated/native/types.gen.ts';
import type { Order } from '../../domain/orders/find-orders.ts';
import type { CurrencyRevenue, RevenueSums } from '../../domain/orders/revenue.ts';
import type { OrderChanges, OrderSettings } from '../../domain/orders/settings.ts';

/** `currency`: that of the store, of orders that name none. */
export function renderOrder(order: Order, currency: string | null): ShownOrder {
  return {
    id: order.id,
    event_id: order.eventId,
    profile_id: order.profileId,
    placed_at: order.placedAt.toISOString(),
    currency: order.currency ?? currency,
    amount: order.amount,
    refunded_amount: order.refunded,
    cancelled_at: order.cancelledAt?.toISOString() ?? null,
    event_count: order.eventCount,
  };
}

export function renderSums({ revenue, newCustomers, returningCustomers }: RevenueSums): RevenueTotals {
  return {
    revenue: renderRevenue(revenue),
    new_customer_count: newCustomers,
    returning_customer_count: returningCustomers,
  };
}

export function renderRevenue(revenue: readonly CurrencyRevenue[]): ShownRevenue[] {
  return revenue.map(({ currency, orders, cancelled, gross, refunded, net, average }) => ({
    currency,
    order_count: orders,
    cancelled_count: cancelled,
    gross_amount: gross,
    refunded_amount: refunded,
    net_amount: net,
    average_amount: average,
  }));
}

export function renderOrderSettings(settings: OrderSettings): ShownSettings {
  return {
    placed_types: settings.placedTypes,
    refunded_types: settings.refundedTypes,
    cancelled_types: settings.cancelledTypes,
    order_id_properties: settings.orderIdProperties,
    amount_properties: settings.amountProperties,
    currency_properties: settings.currencyProperties,
  };
}

export function toOrderChanges(update: OrderSettingsUpdate): OrderChanges {
  return {
    placedTypes: update.placed_types,
    refundedTypes: update.refunded_types,
    cancelledTypes: update.cancelled_types,
    orderIdProperties: update.order_id_properties,
    amountProperties: update.amount_properties,
    currencyProperties: update.currency_properties,
  };
}
