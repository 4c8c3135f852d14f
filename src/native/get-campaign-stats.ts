import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readCampaignStats } from '../domain/campaigns/stats.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';
import { renderStats } from './representations/campaign.ts';

export function getCampaignStats(stores: StoreData): Handler<Operations, 'getCampaignStats'> {
  return async ({ request, caller: { storeId } }) => {
    const stats = await readCampaignStats(stores.of(storeId), storeId, campaignId(request.path.id));
    return { status: 200, body: renderStats(existingCampaign(stats)) };
  };
}
