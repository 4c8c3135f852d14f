/**
 * A request of this service as a command for a shell. A key that begins with `$` is a variable of it; everything else is
 * quoted, whatever it holds.
 */
export function curl(path: string, scheme: string, key: string, body: object): string {
  const authorization = key.startsWith('$')
    ? `"Authorization: ${scheme} ${key}"`
    : quoted(`Authorization: ${scheme} ${key}`);
  return [
    `curl ${window.location.origin}${path} \\`,
    `  -H ${authorization} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The requests that try a key out: an event by the native surface, and one by the compatibility surface. */
export function exampleRequests(key: string): { native: string; compat: string } {
  const attributes = {
    properties: { order_id: 'ord_5002' },
    value: 59.9,
    metric: { data: { type: 'metric', attributes: { name: 'Placed Order' } } },
    profile: { data: { type: 'profile', attributes: { email: 'ada@example.com' } } },
  };
  return {
    native: curl('/v1/events', 'Bearer', key, {
      event_type: 'placed_order',
      profile: { email: 'ada@example.com' },
      properties: { order_id: 'ord_5001', value: 59.9, currency: 'EUR' },
    }),
    compat: curl('/compat/v1/events', 'Compat-API-Key', key, { data: { type: 'event', attributes } }),
  };
}
