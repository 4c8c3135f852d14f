import { readActivity } from '../domain/catalog/activity/read-activity.ts';
import { READER as ITEMS } from '../domain/catalog/activity/reader.ts';
import { readersOf } from '../domain/feed/readers.ts';
import { READER as ORDERS } from '../domain/orders/reader/find-unread.ts';
import { readOrders } from '../domain/orders/reader/read-orders.ts';
import { readChanges } from '../domain/tracking/attribution/read-changes.ts';
import { READER as CREDITED } from '../domain/tracking/attribution/reader.ts';
import { LateWork, RightOfWay, type YieldingSetup } from '../engine/right-of-way.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { CONNECTIONS, READERS } from './attribution.ts';

serveEngine<YieldingSetup>({
  connections: () => CONNECTIONS,
  open({ log, data }) {
    const activity = new LateWork(new RightOfWay(data.requestLoad));
    return {
      async 'turn at attribution'(db, storeId) {
        const readers = await readersOf(db, storeId, READERS);
        const isMore = readers.has(CREDITED) && (await readChanges(db, storeId, log));
        const isMoreActivity = readers.has(ITEMS) && activity.isDue(storeId) && (await readActivity(db, storeId));
        const isMoreOrders = readers.has(ORDERS) && (await readOrders(db, storeId));
        return isMoreOrders || isMoreActivity || isMore;
      },
    };
  },
});
