/** A kind of request: how its bodies are made, and what a successful response acknowledges. */
export interface Scenario {
  path: string;
  /** The status of success. */
  status: number;
  /** Rows of `counts` that one successful response acknowledges. */
  items: number;
  counts: 'event' | 'profile';
  body(n: number): unknown;
}

/** Half of the customers are known: they are drawn from this many. */
const KNOWN = 1_000;
const BULK = 1_000;

/** Returns the scenarios with names and customers unique to a run. */
export function scenarios(run: string): Record<string, Scenario> {
  const email = (n: number) => (n % 2 ? `known${n % KNOWN}@example.com` : `new-${run}-${n}@example.com`);
  const properties = (n: number) => ({
    order_id: `${run}-${n}`,
    value: 59.9,
    currency: 'EUR',
    items: [
      { sku: 'A-100', quantity: 2, price: 19.95 },
      { sku: 'B-200', quantity: 1, price: 20 },
    ],
  });
  const event = (n: number) => ({
    event_type: 'placed_order',
    profile: { email: email(n) },
    properties: properties(n),
    ...(n % 10 === 0 && { idempotency_key: `${run}-${n}` }),
  });
  /** A checkout is one event of a hundred. */
  const visit = (n: number) => ({
    ...event(n),
    event_type: n % 200 < 2 ? 'started_checkout' : 'placed_order',
    properties: { ...properties(n), shop: n % 10, share: n % 1_000 },
  });
  /** One event in ten is an order, of new customers and of known ones. */
  const shopping = (n: number) => ({ ...event(n), event_type: n % 20 < 2 ? 'placed_order' : 'viewed_product' });
  const profile = (n: number) => ({ first_name: 'Ada', last_name: `Number ${n}`, loyalty_tier: 'gold', orders: n });
  const resource = (n: number) => {
    const { loyalty_tier, orders, ...names } = profile(n);
    const attributes = { email: `import-${run}-${n}@example.com`, ...names, properties: { loyalty_tier, orders } };
    return { type: 'profile', attributes };
  };
  const list = <Item>(count: number, from: number, item: (n: number) => Item) =>
    Array.from({ length: count }, (_, i) => item(from + i));

  return {
    single: { path: '/v1/events', status: 201, items: 1, counts: 'event', body: event },
    bulk: {
      path: '/v1/events/bulk',
      status: 201,
      items: BULK,
      counts: 'event',
      body: (n) => ({ events: list(BULK, n * BULK, event) }),
    },
    visit: { path: '/v1/events', status: 201, items: 1, counts: 'event', body: visit },
    shopping: { path: '/v1/events', status: 201, items: 1, counts: 'event', body: shopping },
    visits: {
      path: '/v1/events/bulk',
      status: 201,
      items: BULK,
      counts: 'event',
      body: (n) => ({ events: list(BULK, n * BULK, visit) }),
    },
    fresh: {
      path: '/v1/events/bulk',
      status: 201,
      items: BULK,
      counts: 'event',
      body: (n) => ({
        events: list(BULK, n * BULK, (i) => ({ ...event(i), profile: { email: `fresh-${run}-${i}@example.com` } })),
      }),
    },
    upsert: {
      path: '/v1/profiles/upsert',
      status: 200,
      items: 1,
      counts: 'profile',
      body: (n) => ({ identifiers: { email: email(n) }, attributes: profile(n) }),
    },
    compat: {
      path: '/compat/v1/api/events/',
      status: 202,
      items: 1,
      counts: 'event',
      body: (n) => ({
        data: {
          type: 'event',
          attributes: {
            metric: { data: { type: 'metric', attributes: { name: 'Placed Order' } } },
            profile: { data: { type: 'profile', attributes: { email: email(n) } } },
            properties: properties(n),
            ...(n % 10 === 0 && { unique_id: `${run}-${n}` }),
          },
        },
      }),
    },
    import: {
      path: '/compat/v1/profile-bulk-import-jobs',
      status: 202,
      items: 10_000,
      counts: 'profile',
      body: (n) => ({
        data: {
          type: 'profile-bulk-import-job',
          attributes: { profiles: { data: list(10_000, n * 10_000, resource) } },
        },
      }),
    },
  };
}
