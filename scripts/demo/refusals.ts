/** A request that is refused, and how often it is sent. */
interface Refused {
  times: number;
  key: 'shop' | 'warehouse';
  method?: string;
  path: string;
  body?: unknown;
}

/** Typical mistakes of integrations. */
const REFUSED: readonly Refused[] = [
  { times: 2, key: 'shop', method: 'GET', path: '/compat/v1/catalogs' },
  {
    times: 3,
    key: 'shop',
    path: '/compat/v1/events',
    body: {
      data: {
        type: 'event',
        attributes: {
          properties: {},
          metric: { data: { type: 'metric', attributes: {} } },
          profile: { data: { type: 'profile', attributes: { email: 'ada@example.com' } } },
        },
      },
    },
  },
  {
    times: 4,
    key: 'warehouse',
    path: '/v1/events/bulk',
    body: {
      events: [
        { event_type: 'fulfilled_order', profile: { external_id: 'cust_1001' } },
        { event_type: 'fulfilled_order', profile: { external_id: 'cust_1002' }, occurred_at: '2026-02-30T10:00:00Z' },
      ],
    },
  },
  {
    times: 5,
    key: 'shop',
    path: '/v1/profiles/upsert',
    body: { identifiers: { email: 'ada at example.com' }, attributes: { first_name: 'Ada' } },
  },
  {
    times: 6,
    key: 'shop',
    path: '/v1/events',
    body: { event_type: 'placed_order', profle: { email: 'ada@example.com' } },
  },
  { times: 8, key: 'warehouse', method: 'GET', path: '/v1/profiles?email=ada@example.com' },
  {
    times: 14,
    key: 'shop',
    path: '/v1/events',
    body: { event_type: 'viewed_product', profile: {}, properties: { sku: 'SKU-1004' } },
  },
];

/** Sends all of them, in the same order every time, but for the first that were sent before. Returns how many there are. */
export async function sendRefused(
  url: string,
  keys: { shop: string; warehouse: string },
  sentBefore: number,
): Promise<number> {
  const all = REFUSED.flatMap((refused) => Array.from({ length: refused.times }, () => refused));
  for (const { key, method = 'POST', path, body } of all.slice(sentBefore)) {
    const headers = { Authorization: `Bearer ${keys[key]}`, 'Content-Type': 'application/json' };
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    if (response.status < 400 || response.status >= 500) throw new Error(`${path} answered ${response.status}`);
  }
  return all.length;
}
