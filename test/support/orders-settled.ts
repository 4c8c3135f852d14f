import { until } from './process.ts';
import type { TestService } from './service.ts';

/** Waits until everything is read that was sent to a store, and its orders are complete. */
export async function ordersSettled(service: TestService, storeId: string): Promise<void> {
  await until(async () => {
    const [row] = await service.database.query<{ is_read: boolean }>(`
      select s.stage = 'ready' and h.position = r.entry
        and not exists (select from addition a where a.store_id = h.store_id and a.position is null) as is_read
      from feed_head h join order_settings s on s.store_id = h.store_id
      join feed_reader r on r.store_id = h.store_id and r.name = 'orders'
      where h.store_id = '${storeId}'`);
    return row?.is_read === true;
  }, 'orders are read');
}
