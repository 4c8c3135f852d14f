import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Campaign } from '../domain/campaigns/campaign.ts';
import { deleteCampaign as remove } from '../domain/campaigns/delete-campaign.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';
import { performOnce } from './once.ts';
import { renderCampaign } from './representations/campaign.ts';

export function deleteCampaign(writing: WithConnection): Handler<Operations, 'deleteCampaign'> {
  return async ({ request: { path }, caller }) => {
    const id = campaignId(path.id);
    return await performOnce(
      caller,
      // A campaign can be deleted once.
      { operation: 'deleteCampaign', key: id, request: {} },
      {
        perform: (once: Once<Campaign | undefined>) =>
          writing(caller.storeId, (db) => remove(db, caller.storeId, id, once)),
        answer: (deleted) => ({ status: 200 as const, body: renderCampaign(existingCampaign(deleted)) }),
      },
    );
  };
}
