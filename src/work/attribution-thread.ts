import { readActivity } from '../domain/catalog/activity/read-activity.ts';
import { readChanges } from '../domain/tracking/attribution/read-changes.ts';
import type { EngineSetup } from '../engine/engine.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { CONNECTIONS } from './attribution.ts';

serveEngine<EngineSetup>({
  connections: () => CONNECTIONS,
  open: ({ log }) => ({
    'turn at attribution': async (db, storeId) => {
      const isMore = await readChanges(db, storeId, log);
      return (await readActivity(db, storeId)) || isMore;
    },
  }),
});
