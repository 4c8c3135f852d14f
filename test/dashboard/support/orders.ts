import type { Client } from '../../support/client.ts';
import { until } from '../../support/process.ts';

/** Waits until so many of a store's events have become orders, which happens in the background. */
export function ordersRead(client: Client, count: number): Promise<void> {
  return until(async () => {
    const { body } = await client.get('/v1/orders', { expect: 200 });
    return body.orders.length === count;
  }, 'orders are read');
}
