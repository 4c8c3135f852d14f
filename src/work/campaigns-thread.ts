import { takeTurn } from '../domain/campaigns/engine/turn.ts';
import { RightOfWay } from '../engine/right-of-way.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { type CampaignSetup, CONNECTIONS } from './campaigns.ts';

serveEngine<CampaignSetup>({
  connections: () => CONNECTIONS,
  part: 'campaign_id',
  open({ stopping, data }) {
    const tools = { isStopping: () => stopping.aborted, way: new RightOfWay(data.requestLoad) };
    return { 'turn at campaigns': (db, storeId, id) => takeTurn(db, storeId, id, tools) };
  },
});
