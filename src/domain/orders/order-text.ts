/** What an event says of an order, or of a refund of one. */
export interface OrderNote {
  /** Null if it names none. */
  orderId: string | null;
  /** A decimal number as text, not negative; null if it says none that can be read. */
  amount: string | null;
  /** Three capital letters; null if it says none. */
  currency: string | null;
}

/** The same as the event has it, each as text; null for what it does not have. */
export interface OrderText {
  orderId: string | null;
  value: string | null;
  currency: string | null;
}

/** What the id of an order is called, also by clients of Klaviyo: the first that an event has. */
export const ORDER_ID_NAMES = ['order_id', 'OrderId', 'OrderNumber', 'orderId', '$event_id'] as const;
/** Characters of the id of an order, at most: a longer one is none. */
export const MAX_ORDER_ID = 255;
/** Before the id of an event in the name of an order whose number is erased. No event can say such a number: it is none. */
export const ERASED_PREFIX = 'event:';
/** Amounts are below, so that sums are exact however many there are. */
const MAX_AMOUNT = 1e15;
const AMOUNT = /^\d{1,15}(?:\.\d{1,30})?(?:e[+-]?\d{1,2})?$/i;
const CURRENCY = /^[a-z]{3}$/i;

export function readOrder({ orderId, value, currency }: OrderText): OrderNote {
  return {
    orderId: isOrderId(orderId) ? orderId : null,
    amount: value !== null && AMOUNT.test(value) && Number(value) < MAX_AMOUNT ? value : null,
    currency: currency !== null && CURRENCY.test(currency) ? currency.toUpperCase() : null,
  };
}

function isOrderId(text: string | null): text is string {
  return text !== null && text !== '' && text.length <= MAX_ORDER_ID && !text.startsWith(ERASED_PREFIX);
}

/** One without a value is of all that is left. Some shops write the value with a minus. */
export function readRefund(text: OrderText): OrderNote & { isWhole: boolean } {
  const value = text.value?.replace(/^-/, '') ?? null;
  return { ...readOrder({ ...text, value }), isWhole: value === null };
}
