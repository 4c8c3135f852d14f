import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { countByInterval } from '../domain/reading/event-stats.ts';
import { boundariesOf } from '../domain/reading/intervals.ts';
import type { Handler } from '../http/handler.ts';
import { toTimeRange, toTypeFilter } from './query.ts';

export function getEventStats(stores: StoreData): Handler<Operations, 'getEventStats'> {
  return async ({ request: { query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    const { interval = 'day', time_zone = 'UTC', event_type } = query;
    const { from, to } = toTimeRange(query);
    const boundaries = boundariesOf(interval, time_zone, from, to);
    const series = await countByInterval(sql, caller, boundaries, toTypeFilter(event_type).eventType);
    const times = boundaries.map((time) => time.toISOString());
    const body = {
      interval,
      time_zone,
      from: times[0] as string,
      to: times.at(-1) as string,
      total: series.reduce((sum, { total }) => sum + total, 0),
      buckets: times.slice(0, -1),
      series: series.map(({ eventType, ...counts }) => ({ event_type: eventType, ...counts })),
    };
    return { status: 200, body };
  };
}
