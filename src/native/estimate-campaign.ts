import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { expectScopesOfAudience } from '../domain/campaigns/audience.ts';
import { estimateCampaign as estimate } from '../domain/campaigns/estimate.ts';
import { findCampaign } from '../domain/campaigns/find-campaigns.ts';
import { openAddressDigest } from '../domain/messages/core/address-digest.ts';
import type { PreviewSlots } from '../domain/segments/preview-slots.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';
import { renderEstimate } from './representations/campaign.ts';

export function estimateCampaign(stores: StoreData, slots: PreviewSlots): Handler<Operations, 'estimateCampaign'> {
  return async ({ request, caller }) => {
    const { storeId } = caller;
    const id = campaignId(request.path.id);
    const estimated = await slots.use(storeId, async () => {
      const digestOf = await openAddressDigest(stores.shared);
      return await stores
        .of(storeId)
        .transaction()
        .execute(async (tx) => {
          const campaign = existingCampaign(await findCampaign(tx, storeId, id));
          expectScopesOfAudience(caller, campaign.audience);
          return await estimate(tx, storeId, campaign, digestOf);
        });
    });
    return { status: 200, body: renderEstimate(estimated) };
  };
}
