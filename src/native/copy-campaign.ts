import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Campaign } from '../domain/campaigns/campaign.ts';
import { copyCampaign as copy } from '../domain/campaigns/drafts.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { campaignId, existingCampaign } from './campaign-ids.ts';
import { performOnce } from './once.ts';
import { renderCampaign } from './representations/campaign.ts';

export function copyCampaign(writing: WithConnection): Handler<Operations, 'copyCampaign'> {
  return async ({ request: { path, headers }, caller }) => {
    const id = campaignId(path.id);
    return await performOnce(
      caller,
      { operation: 'copyCampaign', key: headers?.['Idempotency-Key'], request: { path } },
      {
        perform: (once: Once<Campaign | undefined>) => writing(caller.storeId, (db) => copy(db, caller, id, once)),
        answer: (campaign) => ({ status: 201 as const, body: renderCampaign(existingCampaign(campaign)) }),
      },
    );
  };
}
