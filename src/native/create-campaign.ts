import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Campaign } from '../domain/campaigns/campaign.ts';
import { createCampaign as create } from '../domain/campaigns/drafts.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderCampaign, toCampaignDraft } from './representations/campaign.ts';

export function createCampaign(writing: WithConnection): Handler<Operations, 'createCampaign'> {
  return async ({ request, caller }) => {
    const draft = toCampaignDraft(request.body);
    return await performOnce(
      caller,
      { operation: 'createCampaign', key: request.body.idempotency_key, request },
      {
        perform: (once: Once<Campaign>) => writing(caller.storeId, (db) => create(db, caller, draft, once)),
        answer: (campaign) => ({ status: 201 as const, body: renderCampaign(campaign) }),
      },
    );
  };
}
