import type { Operations } from '../../generated/native/operations.gen.ts';
import { setCampaignStatus as setStatus } from '../domain/campaigns/change-status.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';
import { renderCampaign } from './representations/campaign.ts';

export function setCampaignStatus(writing: WithConnection): Handler<Operations, 'setCampaignStatus'> {
  return async ({ request: { path, body }, caller: { storeId } }) => {
    const id = campaignId(path.id);
    const campaign = await writing(storeId, (db) => setStatus(db, storeId, id, body.status, body.winner));
    return { status: 200, body: renderCampaign(existingCampaign(campaign)), isRepeatable: true };
  };
}
