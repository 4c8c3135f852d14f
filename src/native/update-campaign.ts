import type { Operations } from '../../generated/native/operations.gen.ts';
import { reviseCampaign } from '../domain/campaigns/drafts.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';
import { renderCampaign, toCampaignRevision } from './representations/campaign.ts';

export function updateCampaign(writing: WithConnection): Handler<Operations, 'updateCampaign'> {
  return async ({ request: { path, body }, caller }) => {
    const revision = { id: campaignId(path.id), revision: body.revision, draft: toCampaignRevision(body) };
    const campaign = await writing(caller.storeId, (db) => reviseCampaign(db, caller, revision));
    return { status: 200, body: renderCampaign(existingCampaign(campaign)) };
  };
}
