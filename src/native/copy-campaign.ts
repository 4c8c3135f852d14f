import type { Operations } from '../../generated/native/operations.gen.ts';
import { copyCampaign as copy } from '../domain/campaigns/drafts.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';
import { renderCampaign } from './representations/campaign.ts';

export function copyCampaign(writing: WithConnection): Handler<Operations, 'copyCampaign'> {
  return async ({ request, caller }) => {
    const id = campaignId(request.path.id);
    const campaign = await writing(caller.storeId, (db) => copy(db, caller, id));
    return { status: 201, body: renderCampaign(existingCampaign(campaign)) };
  };
}
