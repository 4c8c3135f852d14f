import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findCampaign } from '../domain/campaigns/find-campaigns.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';
import { renderCampaign } from './representations/campaign.ts';

export function getCampaign(stores: StoreData): Handler<Operations, 'getCampaign'> {
  return async ({ request, caller: { storeId } }) => {
    const campaign = await findCampaign(stores.of(storeId), storeId, campaignId(request.path.id));
    return { status: 200, body: renderCampaign(existingCampaign(campaign)) };
  };
}
