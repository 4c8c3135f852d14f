import { readChanges } from '../domain/tracking/attribution/read-changes.ts';
import type { EngineSetup } from '../engine/engine.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { CONNECTIONS } from './attribution.ts';

serveEngine<EngineSetup>({
  connections: () => CONNECTIONS,
  open: ({ log }) => ({ 'turn at attribution': (db, storeId) => readChanges(db, storeId, log) }),
});
