import { takeTurn } from '../domain/campaigns/engine/turn.ts';
import type { EngineSetup } from '../engine/engine.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { CONNECTIONS } from './campaigns.ts';

serveEngine<EngineSetup>({
  connections: () => CONNECTIONS,
  part: 'campaign_id',
  open({ stopping }) {
    const tools = { isStopping: () => stopping.aborted };
    return { 'turn at campaigns': (db, storeId, id) => takeTurn(db, storeId, id, tools) };
  },
});
