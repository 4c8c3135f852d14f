/** What an event of an order is sent with. */
export interface Told {
  type: string;
  order: string | undefined;
  customer: string;
  at: number;
  value: string | undefined;
  currency: string | undefined;
}

type Known = Told & { id: string };

const QUARTER_MS = 900_000;
const UNIT = 1_000_000n;

/** Millionths; undefined for what is no amount. */
function amountOf(value: string | undefined): bigint | undefined {
  if (value === undefined || !/^\d/.test(value)) return undefined;
  return BigInt(Math.round(Number(value) * Number(UNIT)));
}

const currencyOf = (text: string | undefined) => (text?.length === 3 ? text.toUpperCase() : null);

function shown(millionths: bigint): string {
  const digits = String(millionths).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

/** The orders of a history and their sums, each worked out from all events at once. */
export function naive(events: readonly Known[]) {
  const inOrder = events.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const idOf = (event: Known) => event.order ?? (event.type === 'placed_order' ? event.id : undefined);
  const ids = [...new Set(inOrder.flatMap((event) => idOf(event) ?? []))].sort();
  const orders = ids.flatMap(
    (id) =>
      orderOf(
        id,
        inOrder.filter((event) => idOf(event) === id),
      ) ?? [],
  );
  return {
    orders: orders.map(({ millionths: _, back: _back, customer: _customer, ...order }) => order),
    sums: sumsOf(orders),
    customers: customersOf(orders),
  };
}

function orderOf(id: string, events: readonly Known[]) {
  const placed = events.filter(({ type }) => type === 'placed_order');
  const [first] = placed;
  if (!first) return undefined;
  const priced = placed.find(({ value }) => amountOf(value) !== undefined);
  const amount = amountOf(priced?.value);
  const currency =
    currencyOf(priced?.currency) ?? placed.map((one) => currencyOf(one.currency)).find((one) => one !== null) ?? null;
  const refunds = events.filter(({ type, currency: of }) => {
    const own = currencyOf(of);
    return type === 'refunded_order' && (own === null || currency === null || own === currency);
  });
  let back = 0n;
  for (const { value } of refunds) back += value === undefined ? 10n ** 30n : (amountOf(value.replace(/^-/, '')) ?? 0n);
  const most = amount ?? 0n;
  if (back > most) back = most;
  return {
    id,
    customer: first.customer,
    eventId: first.id,
    at: first.at,
    currency,
    amount: amount === undefined ? null : shown(amount),
    refunded: shown(back),
    cancelledAt: events.find(({ type }) => type === 'cancelled_order')?.at ?? null,
    events: placed.length,
    millionths: most,
    back,
  };
}

type Order = NonNullable<ReturnType<typeof orderOf>>;

const startOf = (at: number) => Math.floor(at / QUARTER_MS) * QUARTER_MS;

/** What each customer ordered in each currency. */
function customersOf(orders: readonly Order[]) {
  const kept = orders.filter(({ cancelledAt }) => cancelledAt === null);
  const groups = Map.groupBy(kept, ({ customer, currency }) => `${customer} ${currency ?? ''}`);
  return [...groups.keys()].sort().map((key) => {
    const group = groups.get(key) as Order[];
    const [customer, currency] = key.split(' ');
    const sum = (part: 'millionths' | 'back') => shown(group.reduce((all, order) => all + order[part], 0n));
    const times = group.map(({ at }) => at);
    return {
      ...{ customer, currency, orders: group.length, amount: sum('millionths'), refunded: sum('back') },
      ...{ firstAt: Math.min(...times), lastAt: Math.max(...times) },
    };
  });
}

/** The first order of each customer. */
function firstOrders(orders: readonly Order[]): Set<Order> {
  const inOrder = orders
    .filter(({ cancelledAt }) => cancelledAt === null)
    .toSorted((a, b) => a.at - b.at || ((a.currency ?? '') < (b.currency ?? '') ? -1 : 1));
  return new Set(
    Map.groupBy(inOrder, ({ customer }) => customer)
      .values()
      .flatMap((group) => group.slice(0, 1)),
  );
}

function sumsOf(orders: readonly Order[]) {
  const firsts = firstOrders(orders);
  const groups = Map.groupBy(orders, ({ at, currency }) => `${startOf(at)} ${currency ?? ''}`);
  const sums = [...groups.values()].map((group) => {
    const [{ at, currency }] = group as [(typeof group)[number]];
    const kept = group.filter(({ cancelledAt }) => cancelledAt === null);
    const sum = (part: 'millionths' | 'back') => shown(kept.reduce((all, order) => all + order[part], 0n));
    return {
      ...{ start: startOf(at), currency: currency ?? '', orders: kept.length, cancelled: group.length - kept.length },
      ...{ amount: sum('millionths'), refunded: sum('back') },
      firstOrders: group.filter((order) => firsts.has(order)).length,
    };
  });
  return sums.toSorted((a, b) => a.start - b.start || (a.currency < b.currency ? -1 : 1));
}
