import { readActivity } from '../domain/catalog/activity/read-activity.ts';
import { readOrders } from '../domain/orders/reader/read-orders.ts';
import { readChanges } from '../domain/tracking/attribution/read-changes.ts';
import type { EngineSetup } from '../engine/engine.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { CONNECTIONS } from './attribution.ts';

serveEngine<EngineSetup>({
  connections: () => CONNECTIONS,
  open: ({ log }) => ({
    'turn at attribution': async (db, storeId) => {
      const isMore = await readChanges(db, storeId, log);
      const isMoreActivity = await readActivity(db, storeId);
      return (await readOrders(db, storeId)) || isMoreActivity || isMore;
    },
  }),
});
