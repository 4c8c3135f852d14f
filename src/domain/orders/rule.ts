import type { OrderSettingsRecord } from '../../db/entities/order-settings.ts';
import { ORDER_ID_NAMES } from './order-text.ts';

export const LISTS = [
  'placedTypes',
  'refundedTypes',
  'cancelledTypes',
  'orderIdProperties',
  'amountProperties',
  'currencyProperties',
] as const;

/**
 * Which events of a store are orders, refunds and cancellations, and which properties say of which order, how much and in
 * which currency: the first one that an event has. Within objects their names are joined by dots.
 */
export type OrderRule = Pick<OrderSettingsRecord, (typeof LISTS)[number]>;

/** As the table has them by default. */
export const USUAL_RULE: OrderRule = {
  placedTypes: ['placed_order'],
  refundedTypes: ['refunded_order'],
  cancelledTypes: ['cancelled_order', 'canceled_order'],
  orderIdProperties: [...ORDER_ID_NAMES],
  amountProperties: ['value', '$value'],
  currencyProperties: ['currency', '$currency_code'],
};

/** Where events say it: the first property that an event has; each by the names that lead to it. */
export interface OrderPaths {
  orderId: readonly (readonly string[])[];
  value: readonly (readonly string[])[];
  currency: readonly (readonly string[])[];
}

/** All types of events that say something of orders. */
export function typesOf({ placedTypes, refundedTypes, cancelledTypes }: OrderRule): string[] {
  return [...new Set([...placedTypes, ...refundedTypes, ...cancelledTypes])];
}

/** Where events of a rule say it. */
export function pathsOf({ orderIdProperties, amountProperties, currencyProperties }: OrderRule): OrderPaths {
  const split = (names: readonly string[]) => names.map((name) => name.split('.'));
  return {
    orderId: split(orderIdProperties),
    value: split(amountProperties),
    currency: split(currencyProperties),
  };
}
